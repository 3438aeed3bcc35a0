/**
 * Other names of the built-in tools: those of Claude Code's older versions, codex, gemini-cli, opencode and of the skill
 * collections that this product grew from. Written folded (see `fold`), so one entry stands for `read_file`, `ReadFile`
 * and `read-file`. A foreign tool stands beside the built-in one that does the same job; where none does, it has no entry.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  Read: ['readfile', 'fileread', 'readmanyfiles', 'readfiles', 'viewimage', 'viewfile', 'view', 'cat', 'notebookread'],
  Write: ['writefile', 'filewrite', 'createfile'],
  Edit: ['editfile', 'fileedit', 'multiedit', 'replace', 'patch', 'applypatch', 'strreplace'],
  Glob: ['findfiles', 'fileglob', 'globfiles', 'globsearch'],
  Grep: ['searchtext', 'searchfilecontent', 'grepsearch', 'grepfiles', 'searchfiles', 'ripgrep', 'vectorsearch'],
  LS: ['list', 'listdir', 'listdirectory', 'listfiles', 'readfolder'],
  Bash: ['shell', 'localshell', 'shellcommand', 'shelltool', 'runshellcommand', 'runcommand', 'execcommand', 'runterminalcommand', 'powershell', 'terminal'],
  BashOutput: ['bashoutputtool', 'writestdin', 'shelloutput'],
  KillShell: ['killbash', 'taskstop'],
  NotebookEdit: ['notebookeditcell', 'editnotebook'],
  TodoWrite: ['todo', 'todos', 'todoread', 'writetodos', 'updateplan', 'updatetodos'],
  Task: ['agent', 'subagent', 'spawnagent', 'delegatetoagent'],
  TaskOutput: ['agentoutput', 'agentoutputtool', 'waitagent'],
  AskUserQuestion: ['askuser', 'askquestion', 'question', 'requestuserinput', 'askfollowupquestion'],
  Skill: ['useskill', 'loadskill', 'activateskill', 'skilltool', 'slashcommand'],
  FindTools: ['toolsearch', 'searchtools'],
  CallTool: [],
  WebFetch: ['fetch', 'fetchurl', 'urlfetch'],
  WebSearch: ['googlewebsearch', 'googlesearch', 'searchweb', 'codesearch'],
  Memory: ['savememory', 'memorytool'],
  EnterPlanMode: ['planenter'],
  ExitPlanMode: ['planexit'],
  BrowserNavigate: ['browseropen'],
  BrowserClick: [],
  BrowserType: ['browserfill'],
  BrowserSnapshot: [],
  BrowserScreenshot: ['browsertakescreenshot'],
  BrowserEvaluate: ['browserrunscript'],
  BrowserContent: ['browsergetcontent'],
  BrowserClose: [],
};


const BY_FOLDED: ReadonlyMap<string, string> = new Map(
  Object.entries(OTHER_NAMES).flatMap(([name, others]) => [fold(name), ...others].map((other): [string, string] => [other, name])),
);

/**
 * The product's name of a tool that a model, a rule or a skill may name otherwise: `read_file`, `FileRead` and `read`
 * give `Read`. Letter case, `_`, `-`, `.` and spaces do not matter. A name that is no alias (`mcp__SERVER__TOOL`, a
 * custom tool, a misspelling, a glob) comes back as it was given, without white space around it.
 */
export function canonicalToolName(name: string): string {
  const plain = name.trim();
  return plain.startsWith('mcp__') ? plain : (BY_FOLDED.get(fold(plain)) ?? plain);
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}
