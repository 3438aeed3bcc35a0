/**
 * Other names of the built-in tools: those of Claude Code's other versions, codex, gemini-cli, opencode, goose, Copilot,
 * Cursor, Cline, Kiro, Antigravity, OpenClaw and of the skill collections that this product grew from. Written folded (see `fold`), so one entry stands for `read_file`, `ReadFile`
 * and `read-file`. A foreign tool stands beside the built-in one that does the same job; where none does, it has no entry.
 */
const OTHER_NAMES: Readonly<Record<string, readonly string[]>> = {
  Read: ['readfile', 'fileread', 'readmanyfiles', 'readfiles', 'viewimage', 'viewfile', 'view', 'cat', 'notebookread', 'fsread'],
  Write: ['writefile', 'filewrite', 'createfile', 'createnewfile', 'writetofile', 'fswrite'],
  Edit: ['editfile', 'fileedit', 'multiedit', 'replace', 'patch', 'applypatch', 'strreplace', 'editfiles', 'replaceinfile', 'replacestringinfile', 'multireplacestringinfile', 'inserteditintofile', 'replacefilecontent', 'multireplacefilecontent', 'searchreplace', 'strreplaceeditor', 'strreplacebasededittool'],
  Glob: ['findfiles', 'fileglob', 'globfiles', 'globsearch', 'filesearch', 'findbyname'],
  Grep: ['searchtext', 'searchfilecontent', 'grepsearch', 'grepfiles', 'searchfiles', 'ripgrep', 'vectorsearch', 'textsearch', 'codebasesearch', 'semanticsearch'],
  LS: ['list', 'listdir', 'listdirectory', 'listfiles', 'readfolder'],
  Bash: ['shell', 'localshell', 'shellcommand', 'shelltool', 'runshellcommand', 'runcommand', 'exec', 'execcommand', 'runterminalcommand', 'powershell', 'terminal', 'runinterminal', 'runterminalcmd', 'executecommand', 'executebash', 'executepwsh', 'bashtool', 'developershell'],
  BashOutput: ['bashoutputtool', 'writestdin', 'shelloutput', 'getterminaloutput', 'commandstatus'],
  KillShell: ['killbash', 'taskstop'],
  NotebookEdit: ['notebookeditcell', 'editnotebook'],
  TodoWrite: ['todo', 'todos', 'todoread', 'writetodos', 'updateplan', 'updatetodos', 'managetodolist', 'taskcreate', 'taskupdate', 'tasklist', 'taskget'],
  Task: ['agent', 'subagent', 'spawnagent', 'delegatetoagent', 'runsubagent', 'newtask', 'sessionsspawn'],
  TaskOutput: ['agentoutput', 'agentoutputtool', 'waitagent'],
  AskUserQuestion: ['askuser', 'askquestion', 'question', 'requestuserinput', 'askfollowupquestion', 'askquestions', 'vscodeaskquestions'],
  Skill: ['useskill', 'loadskill', 'activateskill', 'skilltool', 'slashcommand'],
  FindTools: ['toolsearch', 'searchtools'],
  CallTool: [],
  WebFetch: ['fetch', 'fetchurl', 'urlfetch', 'fetchwebpage', 'readurlcontent', 'readwebpage'],
  WebSearch: ['googlewebsearch', 'googlesearch', 'searchweb', 'codesearch'],
  Memory: ['savememory', 'memorytool'],
  EnterPlanMode: ['planenter'],
  ExitPlanMode: ['planexit'],
  Browser: [],
  BrowserNavigate: ['browseropen', 'browsergoto'],
  BrowserBack: ['browsernavigateback', 'browsergoback'],
  BrowserClick: [],
  BrowserType: ['browserfill', 'browserinput'],
  BrowserSelect: ['browserselectoption'],
  BrowserPressKey: ['browserpress', 'browsersendkeys'],
  BrowserHover: [],
  BrowserWait: ['browserwaitfor'],
  BrowserTabs: ['browsertab'],
  BrowserSnapshot: [],
  BrowserScreenshot: ['browsertakescreenshot'],
  BrowserEvaluate: ['browserrunscript', 'browserexecutejavascript'],
  BrowserContent: ['browsergetcontent', 'browsergettext'],
  BrowserDialog: ['browserhandledialog'],
  BrowserDownload: [],
  BrowserClose: [],
};

/** The tools of the browser by name, so that nothing more of them has to be loaded until one is wanted. */
export const BROWSER_TOOLS: readonly string[] = Object.keys(OTHER_NAMES).filter((name) => /^Browser[A-Z]/.test(name));

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

/** True for any name of a tool of the browser. */
export function namesBrowserTool(name: string): boolean {
  return BROWSER_TOOLS.includes(canonicalToolName(name));
}

/** The built-in tool that another program knows by this name, and by a name of its own: not the same one in other letters or with other separators. */
export function foreignTool(name: string): string | undefined {
  const tool = BY_FOLDED.get(fold(name));
  return tool !== undefined && fold(tool) !== fold(name) ? tool : undefined;
}

function fold(name: string): string {
  return name.toLowerCase().replace(/[\s_.-]/g, '');
}

/** True for the product's own name of a built-in tool. */
export function isBuiltInTool(name: string): boolean {
  return Object.hasOwn(OTHER_NAMES, name);
}
