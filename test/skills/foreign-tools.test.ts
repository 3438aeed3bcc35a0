import { describe, expect, test } from 'vitest';
import { canonicalToolName } from '../../src/protocol/tool-names.ts';
import { bodyPieces } from '../../src/skills/activate/body-pieces.ts';
import { foreignToolNote, foreignTools } from '../../src/skills/activate/foreign-tools.ts';
import { corpusRows, hasCorpus } from './corpus.ts';

describe('foreign tool names', () => {
  test.each<[string, Record<string, string>]>([
    ['Use `read_file` and `write_file`.', { read_file: 'Read', write_file: 'Write' }],
    ['Call `apply_patch(...)` or run_shell_command.', { apply_patch: 'Edit', run_shell_command: 'Bash' }],
    ['Use the shell tool, then the `view` tool.', { shell: 'Bash', view: 'Read' }],
    ['Dispatch with the Agent tool.', { Agent: 'Task' }],
    ['`MultiEdit` beats KillBash', { MultiEdit: 'Edit', KillBash: 'KillShell' }],
    ['`google_web_search`, `search_file_content`, `list_directory`, `save_memory`, `write_todos`', { google_web_search: 'WebSearch', search_file_content: 'Grep', list_directory: 'LS', save_memory: 'Memory', write_todos: 'TodoWrite' }],
    ['`update_plan`, `spawn_agent`, `request_user_input`, `view_image`, `exec_command`', { update_plan: 'TodoWrite', spawn_agent: 'Task', request_user_input: 'AskUserQuestion', view_image: 'Read', exec_command: 'Bash' }],
    ['the `question` tool and the `list` tool', { question: 'AskUserQuestion', list: 'LS' }],
  ])('%s', (body, found) => {
    expect(Object.fromEntries(foreignTools(body))).toEqual(found);
  });

  test.each([
    'Edit the file, list all tasks, and fetch the view. Replace the patch.',
    'Use Read, Write, `Edit`, TodoWrite, `web_fetch`, `bash` and the Task tool.',
    'A PATCH request; PowerShell; `ripgrep`; the CAT tool; the right tool for the task.',
    '```js\nconst text = await readFile(path);\nread_file("x"); fetch(url)\n```',
    'Call `fs.readFile(path)`, `./list_dir.sh`, scripts/read_file.py, `--view_file`, $read_file',
    'The class TaskList, the function readFile, `Agent`, a question, `view`, `todo`.',
    'the mcp__files__read_file tool',
  ])('none in: %s', (body) => {
    expect([...foreignTools(body).keys()]).toEqual([]);
    expect(foreignToolNote(body)).toBeUndefined();
  });

  test('one short note', () => {
    expect(foreignToolNote('Use `read_file`, then `read_file` and `apply_patch`.')).toBe('(In these instructions `read_file` is the tool Read, `apply_patch` is the tool Edit.)');
  });
});

/** Tools of other programs that have no counterpart here, and why that is so. */
const WITHOUT_COUNTERPART: Readonly<Record<string, string>> = {
  Monitor: 'watching a process is no tool here', LSP: 'no language server', lsp: 'no language server', oracle: 'a second model', finder: 'a search agent of its own',
  generate_image: 'no pictures are made', memory_search: 'a vector search of its own', memory_get: 'belongs to memory_search', sessions_send: 'no messages between sessions',
  TeamCreate: 'no teams of agents', CronCreate: 'no timetable', complete_task: 'a turn ends by itself', delegate: 'an ordinary word', batch: 'calls run side by side anyway', find_skills: 'skills are offered',
};

/** Tools of codex, gemini-cli, opencode, Claude Code, Copilot, goose, Amp, OpenClaw and claude.ai, from their documentation. */
const VENDORS =
  'read_file read_many_files write_file replace glob grep_search search_file_content list_directory run_shell_command google_web_search web_fetch save_memory write_todos ask_user activate_skill enter_plan_mode exit_plan_mode complete_task ' +
  'shell apply_patch update_plan view_image exec_command write_stdin spawn_agent wait_agent request_user_input web_search tool_search todowrite todoread webfetch websearch codesearch question multiedit batch lsp ' +
  'Read Write Edit MultiEdit NotebookRead NotebookEdit Bash BashOutput KillBash KillShell Glob Grep LS TodoRead TodoWrite TaskCreate TaskUpdate TaskList TaskGet TaskOutput Agent Task Skill Monitor LSP TeamCreate CronCreate ToolSearch SlashCommand AskUserQuestion ExitPlanMode EnterPlanMode WebFetch WebSearch ' +
  'replace_string_in_file insert_edit_into_file create_file run_in_terminal get_terminal_output semantic_search file_search list_dir fetch_webpage manage_todo_list runSubagent editFiles delegate oracle finder generate_image sessions_spawn sessions_send memory_search memory_get find_skills';

describe.skipIf(!hasCorpus)('real skills (needs ../shared/corpus)', () => {
  /** Names in a body that are tools for sure: those of the vendors in code or with "tool" behind them, and what "the X tool" names with a capital inside or an underscore. */
  const namesIn = (body: string): Set<string> => {
    const vendors = new Set(VENDORS.split(' '));
    const names = new Set<string>();
    const pieces = bodyPieces(body).filter(({ kind }) => kind === 'text' || kind === 'code');
    for (const { kind, text } of pieces) if (kind === 'code') for (const [, name = ''] of text.matchAll(/^`([A-Za-z]\w*)(?:\([^`]*\))?`$/g)) if (vendors.has(name)) names.add(name);
    const prose = pieces.map(({ text }) => text).join('');
    for (const [, name = ''] of prose.matchAll(/\b(?:the|use|using|call|via|with)\s+`?([A-Za-z]\w*)`?\s+tool\b/gi)) if (vendors.has(name)) names.add(name);
    for (const name of vendors) if (/[a-z][A-Z]|_/.test(name) && new RegExp(`(?<![\\w/.$-])${name}(?![\\w/.-])`).test(prose)) names.add(name);
    return names;
  };
  /** A tool of this program. */
  const BUILT_IN = new Set('Read Write Edit Glob Grep LS Bash BashOutput KillShell NotebookEdit TodoWrite Task TaskOutput AskUserQuestion Skill FindTools CallTool WebFetch WebSearch Memory EnterPlanMode ExitPlanMode'.split(' '));

  test('each tool name in the bodies of every vendor resolves, or has no counterpart for a reason', () => {
    const unresolved = new Map<string, string>();
    const resolved = new Map<string, number>();
    for (const row of corpusRows().filter((each) => each.full)) {
      for (const name of namesIn(row.body ?? '')) {
        if (BUILT_IN.has(canonicalToolName(name))) resolved.set(name, (resolved.get(name) ?? 0) + 1);
        else if (!Object.hasOwn(WITHOUT_COUNTERPART, name)) unresolved.set(name, row.id);
      }
    }
    console.log(`tool names in real skills: ${[...resolved].map(([name, count]) => `${name} ${count}`).join(', ')}`);
    expect([...unresolved]).toEqual([]);
    expect(resolved.size).toBeGreaterThan(20);
  }, 120_000);

  test('whatever a body calls a tool in quotes resolves, but for tools that skills bring themselves and a few of OpenClaw', () => {
    const others = new Map<string, string>();
    for (const row of corpusRows().filter((each) => each.full)) {
      const prose = bodyPieces(row.body ?? '').filter(({ kind }) => kind === 'text' || kind === 'code').map(({ text }) => text).join('');
      const quoted = prose.matchAll(/\b(?:the|your|use|using|call|via|with|invoke)\s+[`*"']{1,3}([A-Za-z][\w.-]*)(?:\([^`]*\))?[`*"']{1,3}\s+tool\b/gi);
      const joined = prose.matchAll(/\b([A-Z][a-z]+(?:[A-Z][a-z]+)+) tool\b/g);
      for (const [, name = ''] of [...quoted, ...joined]) if (!BUILT_IN.has(canonicalToolName(name)) && !name.startsWith('mcp__')) others.set(name, row.id);
    }
    const own = ['search_papers', 'joyride_request_human_input', 'threat_signal_analyzer.py', 'weather_report', 'bottube_prepare_video', 'bahn-cli', 'web_search_preview'];
    const openClaw = ['agents_list', 'message', 'browser', 'process', 'cron', 'tts'];
    expect([...others].filter(([name]) => ![...own, ...openClaw].includes(name))).toEqual([]);
  }, 60_000);

  test('the superpowers set: every tool that it speaks of exists here', () => {
    const rows = corpusRows().filter((row) => row.full && /obra\/superpowers/.test(`${row.repo} ${row.path}`));
    expect(rows.length).toBeGreaterThanOrEqual(14);
    const names = new Set<string>();
    for (const { body = '' } of rows) {
      for (const name of namesIn(body)) names.add(name);
      for (const [, name = ''] of body.matchAll(/\b([A-Z][a-z]+(?:[A-Z][a-z]+)*)(?: tool\b|\(")/g)) if (VENDORS.split(' ').includes(name)) names.add(name);
    }
    console.log(`tools of the superpowers set: ${[...names].join(', ')}`);
    expect([...names].filter((name) => !BUILT_IN.has(canonicalToolName(name)))).toEqual([]);
    expect(names.size).toBeGreaterThan(0);
  }, 60_000);

  test('few bodies get a note, and none of those that use the names of here', () => {
    const rows = corpusRows().filter((each) => each.full);
    const noted = rows.filter(({ body = '' }) => foreignTools(body).size > 0);
    console.log(`bodies with foreign tool names: ${noted.length} of ${rows.length}`);
    expect(noted.length).toBeGreaterThan(20);
    expect(noted.length / rows.length).toBeLessThan(0.01);
  }, 60_000);
});
