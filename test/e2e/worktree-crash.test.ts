import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FakeRequest, FakeStep } from '../../src/testing/fake-provider/script.ts';
import { isObject } from '../../src/protocol/json.ts';
import { eventsOf, makePlace, MODEL, run, sessionOf, start, withoutBubblewrap, withProvider, type Place } from './program.ts';

const FREE = [...MODEL, '--permission-mode', 'unrestricted'] as const;
const messagesOf = ({ body }: FakeRequest): readonly unknown[] => (Array.isArray(body['messages']) ? body['messages'] : []);
const git = (folder: string, ...args: readonly string[]): string => execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@t', ...args], { cwd: folder, encoding: 'utf8' });

/** A model that goes on from wherever the conversation stands: one agent in a worktree, which writes a file and then looks at it. */
const step: FakeStep = (request) => {
  const messages = messagesOf(request);
  const calls = messages.filter((message) => isObject(message) && Array.isArray(message['tool_calls'])).length;
  const isInner = JSON.stringify(messages.find((message) => isObject(message) && message['role'] === 'user')).includes('INNER');
  const inner: readonly FakeStep[] = [{ calls: [{ name: 'Write', input: { file_path: 'new.txt', content: 'x' } }] }, { calls: [{ name: 'Bash', input: { command: 'cat new.txt' } }] }, 'RESULT'];
  const outer: readonly FakeStep[] = [{ calls: [{ name: 'Task', input: { prompt: 'INNER', isolation: 'worktree' } }] }, 'All is done.'];
  const next = (isInner ? inner : outer)[calls] ?? 'No more.';
  return typeof next === 'function' ? next(request) : next;
};

function makeRepository(place: Place): void {
  git(place.project, 'init', '-q', '-b', 'main');
  fs.writeFileSync(path.join(place.project, 'a.txt'), 'one\n');
  git(place.project, 'add', '-A');
  git(place.project, 'commit', '-q', '-m', 'begin');
}

/** Where git was killed in the middle of making a worktree, HEAD still names no commit. */
function halfMadeIn(place: Place): readonly string[] {
  const entries = path.join(place.project, '.git/worktrees');
  const heads = (fs.existsSync(entries) ? fs.readdirSync(entries) : []).map((name) => path.join(entries, name, 'HEAD'));
  return heads.filter((head) => fs.existsSync(head) && /^0+\n?$/.test(fs.readFileSync(head, 'utf8')));
}

describe.skipIf(withoutBubblewrap)('kill -9 of a session whose agent has a worktree (needs bubblewrap)', () => {
  it.each([
    { at: (event: string) => event.includes('"tool.started"') && !event.includes('is_sub_agent'), waitMs: 0, goesOn: false },
    { at: (event: string) => event.includes('"tool.started"') && !event.includes('is_sub_agent'), waitMs: 120, goesOn: false },
    { at: (event: string) => event.includes('"tool.completed"') && event.includes('is_sub_agent'), waitMs: 0, goesOn: true },
  ])('leaves the repository usable, and the run goes on in its worktree ($waitMs ms, $goesOn)', { timeout: 120_000 }, async ({ at, waitMs, goesOn }) => {
    const place = makePlace();
    makeRepository(place);
    await withProvider(place, { steps: Array.from({ length: 20 }, () => step) });
    const kill = async (): Promise<void> => {
      await sleep(waitMs);
      program.child.kill('SIGKILL');
    };
    const program = start(place, ['run', 'begin', ...FREE, '--output', 'stream-json'], { onLine: (line) => void (at(line) && kill()) });
    const first = await program.ended;
    expect(first.signal).toBe('SIGKILL');
    expect(git(place.project, 'status', '--porcelain')).toBe('');
    git(place.project, 'worktree', 'prune');
    const halfMade = halfMadeIn(place);
    if (halfMade.length === 0) expect(git(place.project, 'fsck')).toBe('');
    // The next one knows by the age that nobody works on it.
    for (const head of halfMade) fs.utimesSync(head, 1, 1);
    const again = await run(place, ['run', '--session', sessionOf(eventsOf(first.stdout)), ...FREE, '--output', 'json']);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('All is done.') });
    const entries = fs.readdirSync(path.join(place.project, '.skillmint/worktrees')).filter((name) => name.startsWith('task_'));
    const changed = entries.filter((name) => fs.existsSync(path.join(place.project, '.skillmint/worktrees', name, 'new.txt')));
    expect(changed).toHaveLength(1);
    expect(git(place.project, 'fsck')).toBe('');
    if (goesOn) expect(entries).toHaveLength(1);
    expect(git(place.project, 'status', '--porcelain')).toBe('');
  });
});
