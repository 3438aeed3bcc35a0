import fs from 'node:fs';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { NOBODY, withoutAnotherUser } from '../helpers/another-user.ts';
import { FREE, makePlace, MODEL, oneLineOf, run, start, withProvider, writeSettings, type Ended, type Place } from './program.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});

/** What is wrong with a refusal: it must be one line that says everything asked for, with nothing on standard output. */
function faultsOf(ended: Ended, code: number, says: readonly (string | RegExp)[]): readonly string[] {
  const line = oneLineOf(ended);
  return [
    ...(ended.code === code ? [] : [`exit code ${ended.code}, not ${code}`]),
    ...(ended.stdout === '' ? [] : [`on standard output: ${ended.stdout}`]),
    ...[/^skillmint: /, ...says].filter((part) => (typeof part === 'string' ? !line.includes(part) : !part.test(line))).map((part) => `"${line}" does not say ${String(part)}`),
  ];
}

describe('what is typed wrong ends with one line and its exit code', () => {
  it.each<[string, readonly string[], number, readonly (string | RegExp)[]]>([
    ['an unknown flag', ['run', '--no-such-flag', 'x'], 2, ["unknown option '--no-such-flag'", 'See: skillmint run --help']],
    ['an unknown flag that looks like one', ['run', '--modle', 'x/y', 'x'], 2, ['--modle', 'Did you mean --model']],
    ['an unknown command', ['no-such-command'], 2, ['There is no command "no-such-command"']],
    ['an unknown sub-command', ['sessions', 'no-such-command'], 2, ['no-such-command']],
    ['a missing argument', ['sessions', 'show'], 2, ["missing required argument 'session'", 'See: skillmint sessions show --help']],
    ['a bad output form', ['run', 'x', '--output', 'xml'], 2, ['xml', 'text, json, stream-json']],
    ['a bad permission mode', ['run', 'x', '--permission-mode', 'sometimes'], 2, ['sometimes', 'acceptEdits']],
    ['a bad number of turns', ['run', 'x', '--max-turns', 'many'], 2, ['--max-turns', 'many']],
    ['no turns at all', ['run', 'x', '--max-turns', '0'], 2, ['--max-turns', 'at least 1']],
    ['a bad cost', ['run', 'x', '--max-cost', 'free'], 2, ['--max-cost', 'free']],
    ['a bad effort', ['run', 'x', '--effort', 'huge'], 2, ['huge', 'xhigh']],
    ['a bad sandbox setting', ['run', 'x', '--sandbox', 'maybe'], 2, ['maybe', 'required']],
    ['a bad rule', ['run', 'x', '--allow', 'Bash('], 2, ['"Bash("', 'Tool(specification)']],
    ['a bad deny rule', ['run', 'x', '--deny', 'Edit(['], 2, ['Edit']],
    ['an unknown provider', ['run', 'x', '--model', 'nobody/model'], 5, ['No provider "nobody"', 'config.json']],
    ['an unknown model', ['run', 'x', '--model', 'fake/no-such-model'], 5, ['No model "no-such-model" of fake']],
    ['a model without a provider', ['run', 'x', '--model', 'gpt'], 5, ['"gpt" names no model', 'PROVIDER/MODEL']],
    ['a missing key', ['run', 'x', '--model', 'anthropic/claude-sonnet-4-5'], 2, ['ANTHROPIC_API_KEY', 'config.json']],
    ['an unknown session', ['run', 'x', '--session', 'no-such-session'], 5, ['There is no session no-such-session', 'sessions list']],
    ['no session to go on with', ['run', 'x', '--continue'], 5, ['no session of', 'Run without --continue']],
    ['two sessions at once', ['run', 'x', '--session', 'a', '--continue'], 2, ['--session or --continue']],
    ['a skill for a session that exists', ['run', 'x', '--session', 'a', '--skill', 'b'], 2, ['--skill and --add-dir belong to a new session']],
    ['a folder for a session that exists', ['run', 'x', '--continue', '--add-dir', '.'], 2, ['--skill and --add-dir belong to a new session']],
    ['an unknown skill', ['run', 'x', '--skill', 'no-such-skill', ...MODEL], 5, ['no skill "no-such-skill"', 'skills list']],
    ['a folder without a skill', ['run', 'x', '--skill', './nowhere', ...MODEL], 5, [/no SKILL.md in \/.*\/nowhere/]],
    ['a missing folder', ['run', 'x', '--cwd', '/no/such/folder', ...MODEL], 2, ['/no/such/folder', 'does not exist']],
    ['a file as the folder', ['run', 'x', '--cwd', '/etc/passwd', ...MODEL], 2, ['/etc/passwd is no folder']],
    ['a missing added folder', ['run', 'x', '--add-dir', '/no/such/folder', ...MODEL], 2, ['/no/such/folder', 'does not exist']],
    ['a picture that is none', ['run', 'x', '--image', '/etc/passwd', ...MODEL], 2, ['/etc/passwd is no picture']],
    ['a missing picture', ['run', 'x', '--image', 'none.png', ...MODEL], 2, ['none.png cannot be read']],
    ['a missing schema', ['run', 'x', '--output-schema', 'none.json', ...MODEL], 2, ['none.json cannot be read']],
    ['a schema that is no JSON', ['run', 'x', '--output-schema', '/etc/passwd', ...MODEL], 2, ['/etc/passwd is not valid JSON']],
    ['an empty prompt', ['run', ' \n', ...MODEL], 2, ['The prompt is empty']],
    ['no prompt and nothing on standard input', ['run', ...MODEL], 2, ['The prompt is empty']],
    ['an empty standard input', ['run', '-', ...MODEL], 2, ['The prompt is empty']],
    ['the interactive mode without a terminal', [], 2, ['There is no terminal here', 'skillmint run']],
    ['an answer without one', ['answer', 'x'], 2, ['--allow, --always and --deny']],
    ['two answers', ['answer', 'x', '--allow', '--deny'], 2, ['one of --allow, --always and --deny']],
    ['an answer to an unknown session', ['answer', 'no-such-session', 'yes'], 5, ['There is no session no-such-session']],
    ['showing an unknown session', ['sessions', 'show', 'no-such-session'], 5, ['There is no session no-such-session']],
    ['exporting an unknown session', ['sessions', 'export', 'no-such-session'], 5, ['There is no session no-such-session']],
    ['forking an unknown session', ['sessions', 'fork', 'no-such-session'], 5, ['There is no session no-such-session']],
    ['removing an unknown session', ['sessions', 'remove', 'no-such-session'], 5, ['There is no session no-such-session']],
    ['showing an unknown skill', ['skills', 'show', 'no-such-skill'], 5, ['no skill "no-such-skill"']],
    ['checking a missing folder', ['skills', 'validate', '/no/such/folder'], 5, ['/no/such/folder']],
    ['an unknown setting', ['config', 'get', 'no.such.setting'], 2, ['no.such.setting']],
    ['a wrong value of a setting', ['config', 'set', 'permissions.mode', 'sometimes'], 2, ['sometimes', 'nothing was changed']],
    ['an unknown shell', ['completion', 'tcsh'], 2, ['tcsh', 'bash, zsh, fish']],
  ])('%s', async (_name, args, code, says) => {
    writeSettings(place, { providers: { fake: { api: 'openai-chat', baseUrl: 'http://127.0.0.1:9/v1', apiKey: 'k', models: [{ id: 'm' }] } } });
    const ended = await run(place, args);
    expect(faultsOf(ended, code, says)).toEqual([]);
    expect((await run(place, ['sessions', 'list', '--all', '--json'])).stdout).toBe('{\n  "sessions": []\n}\n');
  });
});

describe('settings that cannot be used', () => {
  const CASES: readonly [string, string, readonly (string | RegExp)[]][] = [
    ['no JSON', '{\n  "permissions": {\n    "mode": oops\n  }\n}\n', [/config\.json:3: not valid JSON/, 'oops', 'permissions.mode']],
    ['a wrong value', '{\n  "permissions": {\n    "mode": "sometimes"\n  }\n}\n', [/config\.json:3: permissions\.mode must be one of/, '"sometimes"']],
    ['an unknown key', '{\n  "providers": {},\n  "no-such-setting": 1\n}\n', [/config\.json:3: unknown setting "no-such-setting"/]],
    ['cut short', '{\n  "permissions": {', [/config\.json:2/]],
    ['a list', '[]', [/config\.json:1/]],
  ];
  it.each(CASES)('%s: file, line and key are named and the file stays as it was', async (_name, text, says) => {
    const file = writeSettings(place, text);
    for (const args of [['run', 'x'], ['skills', 'list'], ['models', 'list'], ['config', 'set', 'model', 'a/b']]) {
      expect(faultsOf(await run(place, args), 2, says)).toEqual([]);
      expect(fs.readFileSync(file, 'utf8')).toBe(text);
    }
    const doctor = await run(place, ['doctor']);
    expect(doctor).toMatchObject({ code: 1, stderr: '' });
    expect(doctor.stdout).toMatch(/fail {2}settings.*config\.json:\d/);
  });

  it('a broken file in the project is named, too', async () => {
    fs.mkdirSync(path.join(place.project, '.skillmint'));
    fs.writeFileSync(path.join(place.project, '.skillmint/config.json'), '{\n"nonsense": true }');
    expect(faultsOf(await run(place, ['run', 'x']), 2, [/project\/\.skillmint\/config\.json:2: unknown setting "nonsense"/])).toEqual([]);
  });

  it('a wrong variable of the environment', async () => {
    expect(faultsOf(await run(place, ['run', 'x'], { env: { SKILLMINT_MAX_TURNS: 'many' } }), 2, ['SKILLMINT_MAX_TURNS', 'many'])).toEqual([]);
  });

  it('a loop of links, and a folder in the place of the file', async () => {
    const file = path.join(place.data, 'config.json');
    fs.symlinkSync('config.json', file);
    expect(faultsOf(await run(place, ['run', 'x']), 2, [/cannot read the settings file .*config\.json: it is a loop of links/])).toEqual([]);
    fs.rmSync(file);
    fs.mkdirSync(file);
    expect(faultsOf(await run(place, ['run', 'x']), 2, [/config\.json: it is a folder/])).toEqual([]);
  });

  it.skipIf(withoutAnotherUser)('files that another user may not read (needs root, and a Node that others may run)', async () => {
    const nobody = { spawn: NOBODY };
    writeSettings(place, {});
    fs.chmodSync(place.root, 0o755);
    fs.chownSync(place.home, NOBODY.uid, NOBODY.gid);
    fs.chownSync(place.data, NOBODY.uid, NOBODY.gid);
    fs.chownSync(path.join(place.root, 'tmp'), NOBODY.uid, NOBODY.gid);
    expect(faultsOf(await run(place, ['run', 'x', '--model', 'demo/demo'], nobody), 2, [/cannot read the settings file .*config\.json: /])).toEqual([]);
    fs.rmSync(path.join(place.data, 'config.json'));
    const closed = path.join(place.root, 'closed');
    fs.mkdirSync(closed, { mode: 0o700 });
    expect(faultsOf(await run(place, ['run', 'x', '--model', 'demo/demo', '--cwd', path.join(closed, 'inner')], { ...nobody, cwd: '/' }), 2, [/closed\/inner/, 'may not be read'])).toEqual([]);
  });
});

describe('the terminal around it', () => {
  it('is not needed: standard input may be closed', async () => {
    await withProvider(place, { steps: ['Still here.'] });
    const program = start(place, ['run', 'x', ...FREE], { through: ['/bin/sh', '-c', 'exec "$@" <&-', 'sh'] });
    expect(await program.ended).toMatchObject({ code: 0, stdout: 'Still here.\n' });
    const none = await start(place, ['run', '-', ...FREE], { through: ['/bin/sh', '-c', 'exec "$@" <&-', 'sh'] }).ended;
    expect(faultsOf(none, 2, ['The prompt is empty'])).toEqual([]);
  });

  it('may close standard output early: the turn is stopped and stored', async () => {
    await withProvider(place, { steps: Array.from({ length: 80 }, () => ({ text: 'x'.repeat(2_000), calls: [{ name: 'LS', input: { path: '.' } }] })) });
    const ended = await start(place, ['run', 'x', ...FREE, '--output', 'stream-json'], { through: ['/bin/bash', '-c', '"$@" | head -n 1 > first; echo "${PIPESTATUS[0]}"', 'bash'] }).ended;
    expect(ended).toMatchObject({ stdout: '1\n', stderr: '' });
    expect(fs.readFileSync(path.join(place.project, 'first'), 'utf8')).toMatch(/^\{"type":"session.started".*\n$/);
    expect(JSON.parse((await run(place, ['sessions', 'list', '--status', 'cancelled', '--text', 'X', '--json'])).stdout)).toMatchObject({ sessions: [{ status: 'cancelled' }] });
    expect((await run(place, ['sessions', 'list', '--status', 'done'])).stderr).toBe('No session of this folder fits; see --all.\n');
  });

  it.each([['SIGINT'], ['SIGTERM'], ['SIGHUP']] as const)('%s stops the turn, which is stored, with 130', async (signal) => {
    await withProvider(place, { steps: [{ text: 'Half a word and '.repeat(200), fault: { kind: 'hang', afterBytes: 4000 } }] });
    const program = start(place, ['run', 'x', ...FREE, '--output', 'stream-json'], {
      onLine: (line) => {
        if (line.includes('"text.delta"')) program.child.kill(signal);
      },
    });
    const { code, stdout } = await program.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/"type":"turn.completed".*"status":"cancelled".*\n$/);
    expect(JSON.parse((await run(place, ['sessions', 'list', '--json'])).stdout)).toMatchObject({ sessions: [{ status: 'cancelled' }] });
  });

  it('SIGINT in a command ends it with all its processes', async () => {
    await withProvider(place, { steps: [{ calls: [{ name: 'Bash', input: { command: 'echo $$ > pid; sleep 600' } }] }] });
    const program = start(place, ['run', 'x', ...FREE, '--output', 'stream-json'], {
      onLine: (line) => {
        if (line.includes('"tool.started"')) waitForFile(path.join(place.project, 'pid')).then(() => program.child.kill('SIGINT'), () => program.child.kill('SIGKILL'));
      },
    });
    const { code, stdout } = await program.ended;
    expect(code).toBe(130);
    expect(stdout).toMatch(/"type":"tool.completed".*"status":"interrupted"/);
    const pid = Number(fs.readFileSync(path.join(place.project, 'pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  it('tells its version and its help', async () => {
    const version = await run(place, ['--version']);
    expect(version).toMatchObject({ code: 0, stdout: `${String(JSON.parse(fs.readFileSync('package.json', 'utf8')).version)}\n`, stderr: '' });
    for (const args of [[], ['run'], ['answer'], ['sessions'], ['sessions', 'fork'], ['skills', 'list'], ['config', 'set'], ['models', 'test'], ['doctor'], ['completion']]) {
      const help = await run(place, [...args, '--help']);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toMatch(/Usage: skillmint/);
    }
  });
});

async function waitForFile(file: string): Promise<void> {
  while (!fs.existsSync(file) || fs.readFileSync(file, 'utf8') === '') await new Promise((resolve) => setTimeout(resolve, 5));
}
