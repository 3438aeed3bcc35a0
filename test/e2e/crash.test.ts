import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { isWhole, sampled } from '../helpers/points.ts';
import { gatedCommand, holdTurn, takeOver } from './owners.ts';
import { exported, FREE, makePlace, oneLineOf, run, sessionOf, eventsOf, start, withProvider, type Ended, type Place } from './program.ts';
import { inParallel, killAndGoOn } from './twenty-turns.ts';

const ROUNDS = isWhole ? 100 : 8;

describe('kill -9', () => {
  it('at lines of a turn of twenty tool calls loses nothing that was shown, repeats no effect and leaves a session that goes on', { timeout: 600_000 }, async () => {
    const whole = await killAndGoOn(undefined);
    expect(whole.faults).toEqual([]);
    expect(whole.written).toEqual(['alpha', 'beta', 'gamma', 'delta']);
    const commands = whole.acknowledged.flatMap((event, index) => (event.type === 'tool.started' && whole.acknowledged.some((asked) => asked.type === 'tool.requested' && asked['tool'] === 'Bash' && asked['call_id'] === event['call_id']) ? [index] : []));
    const points = [...new Set([...sampled(whole.acknowledged.length, 6), ...commands])].map((atLine) => ({ atLine }));
    expect(points.length).toBeGreaterThan(12);
    const attempts = await inParallel(points, 3, (point) => killAndGoOn(point));
    expect(attempts.flatMap((attempt) => attempt.faults)).toEqual([]);
    expect(attempts.filter((attempt) => attempt.killed).length).toBeGreaterThan(0.9 * points.length);
    expect(attempts.some(({ cutOff }) => cutOff), 'some kill must have hit a command').toBe(true);
  });
});

describe('a session that another process holds', () => {
  it('refuses the next one, can be taken over when the lease is over, and refuses what the first one would still write', async () => {
    const place = makePlace();
    const held = await holdTurn(place);
    const { early, other, stopped, before, after } = await takeOver(place, held, async () => endLease(place, held.session));
    expect(early.code).toBe(1);
    expect(oneLineOf(early)).toMatch(`Session ${held.session} is in use by process ${held.program.child.pid}`);
    expect(other).toMatchObject({ code: 0, stdout: 'The other one went on.\n' });
    expect(stopped.code).toBe(1);
    expect(oneLineOf(stopped)).toMatch(`Another process has taken over session ${held.session}`);
    expect(after).toEqual(before);
    expect(before.filter((event) => event.type === 'tool.completed').map((event) => event['status'])).toEqual(['interrupted']);
  });

  it('takes each message once when two processes send one at the same time, many times (C-O1)', { timeout: 240_000 }, async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: ['ready'] });
    const session = sessionOf(eventsOf((await run(place, ['run', 'begin', ...FREE, '--output', 'stream-json'])).stdout));
    const taken: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const gate = gatedCommand(place, `${round}`);
      provider.push(gate.step, `answer ${round}`);
      const racers = ['left', 'right'].map((side) => ({ text: `${side} ${round}`, program: start(place, ['run', `${side} ${round}`, '--session', session, ...FREE]) }));
      const refused = await Promise.race(racers.map(async ({ text, program }) => ({ text, ended: await program.ended })));
      gate.open();
      const ended = await Promise.all(racers.map(async ({ text, program }) => ({ text, ended: await program.ended })));
      const winner = ended.find(({ text }) => text !== refused.text);
      expectBusy(refused.ended, session);
      expect(winner?.ended).toMatchObject({ code: 0, stdout: `answer ${round}\n`, stderr: '' });
      taken.push(winner?.text ?? '');
    }
    const log = await exported(place, session);
    expect(log.filter((event) => event.type === 'turn.started').map((event) => event['input'])).toEqual(['begin', ...taken].map((text) => [{ type: 'text', text }]));
    expect(log.map((event) => event.seq)).toEqual(log.map((_event, index) => index + 1));
    expect(provider.requests.length).toBe(1 + 2 * ROUNDS);
    expect(fs.readFileSync(path.join(place.project, 'begun'), 'utf8')).toBe(taken.map((_text, round) => `${round}\n`).join(''));
  });
});

function expectBusy(ended: Ended, session: string): void {
  expect(ended).toMatchObject({ code: 1, stdout: '' });
  expect(oneLineOf(ended)).toMatch(new RegExp(`^skillmint: Session ${session} is in use by process \\d+\\. Wait until its turn has ended, or stop that process\\.$`));
}

/** The clock of the machine cannot be moved, but what it is compared with can. */
function endLease(place: Place, session: string): void {
  const db = openSqlite(path.join(place.data, 'skillmint.db'), SESSION_MIGRATIONS);
  expect(db.run('UPDATE sessions SET lease_until = 1 WHERE session_id = ?', [session]).changes).toBe(1);
  db.close();
}
