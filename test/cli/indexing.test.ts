import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { indexingLine, indexingNotice, type IndexingLine } from '../../src/cli/listings/indexing-line.ts';
import { indexingStatus } from '../../src/cli/run/indexing-status.ts';
import type { SessionEvent } from '../../src/protocol/events.ts';
import { FREE, makePlace, run, withProvider } from '../e2e/program.ts';
import { startTerminal, withoutTmux } from './terminal.ts';

/** A terminal that keeps what was written, and a clock that stands still until it is set. */
function terminal({ isTTY = true } = {}) {
  const written: string[] = [];
  const clock = { ms: 5_000 };
  const stream = { isTTY, write: (text: string) => written.push(text) };
  return { written, clock, parts: { stream: () => stream, now: () => clock.ms } };
}

/** Nothing else on the line. */
const AWAY = '\r\u001b[K';

describe('the line on the indexing of skills', () => {
  const running = (done: number) => ({ done, state: 'running' as const });
  const delta: SessionEvent = { type: 'text.delta', text: 'words', session_id: 's', time: '' };
  const whole: SessionEvent = { type: 'warning', code: 'x', message: 'y', session_id: 's', time: '', seq: 1 };

  it('comes after a second, is renewed in its place, and goes at the end', async () => {
    const { written, clock, parts } = terminal();
    const status = indexingStatus(() => indexingLine(parts), { ephemeral: false });
    status.resume();
    status.onSkillIndexing(running(100));
    clock.ms += 999;
    status.onSkillIndexing(running(900));
    expect(written).toEqual([]);
    clock.ms += 1;
    status.onSkillIndexing(running(12_400));
    status.onSkillIndexing(running(12_500));
    clock.ms += 100;
    status.onSkillIndexing(running(12_600));
    expect(written).toEqual([`${AWAY}indexing skills: 12,400 …`, `${AWAY}indexing skills: 12,600 …`]);
    status.onSkillIndexing({ done: 12_700, state: 'complete' });
    await status.end();
    expect(written.slice(2)).toEqual([AWAY]);
  });

  it('makes room for what is printed, and stays away while the words of the model stand in the line', async () => {
    const { written, clock, parts } = terminal();
    const status = indexingStatus(() => indexingLine(parts), { ephemeral: false });
    const print = status.beside(async (event) => void written.push(event.type), { streams: true });
    const later = (): void => {
      clock.ms += 1_000;
      status.onSkillIndexing(running(5));
    };
    status.onSkillIndexing(running(1));
    later();
    await print(whole);
    later();
    await print(delta);
    later();
    await print({ type: 'tool.delta', call_id: 'c', text: 'x', session_id: 's', time: '' });
    later();
    await print(whole);
    later();
    status.pause();
    later();
    const line = `${AWAY}indexing skills: 5 …`;
    expect(written).toEqual(['warning', line, AWAY, 'text.delta', 'tool.delta', 'warning', line, AWAY]);
  });

  it('stays where the words of the model go elsewhere', async () => {
    const { written, clock, parts } = terminal();
    const status = indexingStatus(() => indexingLine(parts), { ephemeral: false });
    status.onSkillIndexing(running(1));
    await status.beside(async () => undefined, { streams: false })(delta);
    clock.ms += 1_000;
    status.onSkillIndexing(running(5));
    expect(written).toHaveLength(1);
  });

  it('is nothing without a terminal', () => {
    const { written, clock, parts } = terminal({ isTTY: false });
    const line: IndexingLine = indexingLine(parts);
    clock.ms += 10_000;
    line.show(5);
    line.clear();
    expect(written).toEqual([]);
  });

  it('is one whole line in a conversation', () => {
    const { written, clock, parts } = terminal();
    const line = indexingNotice(parts);
    line.show(1);
    clock.ms += 1_000;
    line.show(12_400);
    clock.ms += 1_000;
    line.show(20_000);
    line.clear();
    expect(written.join('')).toMatch(/^(?:\u001b\[\d+m)?indexing skills: 12,400 …(?:\u001b\[\d+m)?\n$/);
  });
});

/** More than any machine reads in the time that these need. */
const MANY = 12_000;
const LEFT = /^skillmint: Not all skills are indexed yet \([\d,]+ are\); the next session goes on with it\.$/;

describe('skillmint run among skills that were never indexed', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-indexing-'));
  const settings = { skills: { paths: [root] } };
  afterAll(() => fs.rmSync(root, { recursive: true, force: true }));
  beforeAll(() => {
    for (let i = 0; i < MANY; i += 1) {
      fs.mkdirSync(path.join(root, `s${i}`));
      fs.writeFileSync(path.join(root, `s${i}`, 'SKILL.md'), `---\nname: s${i}\ndescription: Deals with matter${i}.\n---\n\nDo it.\n`);
    }
  }, 60_000);

  it('says on standard error that it is not finished, in one line, and nothing on standard output', async () => {
    const place = makePlace();
    await withProvider(place, { steps: ['hello', 'hello', 'hello', 'hello'], settings });
    for (const [form, expected] of [['text', /^hello\n$/], ['json', /^\{.*"text":"hello".*\}\n$/], ['stream-json', /^(?:\{.*\}\n)+$/]] as const) {
      const { code, stdout, stderr } = await run(place, ['run', 'hi', '--output', form, ...FREE]);
      const lines = stderr.trim().split('\n').filter((line) => !line.includes('sandbox is off'));
      expect(code).toBe(0);
      expect(stdout).toMatch(expected);
      expect(stderr).not.toContain('\u001b');
      expect(stdout).not.toContain('indexing skills');
      expect(lines.filter((line) => /index/.test(line))).toEqual([expect.stringMatching(LEFT)]);
      fs.rmSync(path.join(place.data, 'cache'), { recursive: true });
    }
    const ephemeral = await run(place, ['run', 'hi', '--ephemeral', ...FREE]);
    expect(ephemeral.stderr).toMatch(/Not all skills are indexed yet \([\d,]+ are\); an ephemeral session keeps nothing of them\.\n$/);
  }, 60_000);

  it.skipIf(withoutTmux)('shows in a terminal how far it is, as long as it goes on (needs tmux)', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ text: 'x', fault: { kind: 'hang', afterBytes: 0 } }], settings });
    const screen = startTerminal(place, ['run', 'hi', ...FREE]);
    await screen.shows(/\nindexing skills: [\d,]+ …$/);
    expect(screen.screen().match(/indexing skills/g)).toHaveLength(1);
    screen.press('C-c');
    expect(await screen.ended()).toBe(130);
    expect(screen.screen()).not.toContain('indexing skills');
    expect(screen.screen().split('\n').filter((line) => LEFT.test(line)).length).toBeLessThanOrEqual(1);
  }, 60_000);

  it.skipIf(withoutTmux)('tells a conversation once, and not where a person types (needs tmux)', async () => {
    const place = makePlace();
    await withProvider(place, { steps: [{ text: 'x', fault: { kind: 'hang', afterBytes: 0 } }], settings });
    const screen = startTerminal(place, [...FREE, '--plain']);
    await screen.ready();
    screen.type('hi');
    await screen.shows(/^indexing skills: [\d,]+ …$/m);
    screen.press('C-c');
    await screen.shows('stopped');
    await screen.ready();
    expect(screen.screen().match(/indexing skills/g)).toHaveLength(1);
    screen.type('/quit');
    expect(await screen.ended()).toBe(0);
  }, 60_000);
});
