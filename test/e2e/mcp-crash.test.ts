import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isAlive, libraryServer, pidsIn, until } from '../mcp/servers.ts';
import { eventsOf, FREE, makePlace, run, sessionOf, start, stored, withProvider, type Place, type Printed } from './program.ts';

/** A tool that asks the person, writes down each call of it and its process, and does not come back from the one that brings the answer. */
const askingServer = (place: Place) => libraryServer(place.root, `
  server.registerTool('deploy', { inputSchema: none }, async (_input, ctx) => {
    const answered = ctx.mcpReq.inputResponses?.it !== undefined;
    fs.appendFileSync('${place.root}/pids', process.pid + '\\n');
    fs.appendFileSync('${place.root}/calls', answered ? 'with the answer\\n' : 'first\\n');
    if (answered) return new Promise(() => setInterval(() => undefined, 1_000));
    return inputRequired({ inputRequests: { it: inputRequired.elicit({ message: 'Where to?', requestedSchema: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] } }) } });
  });`);
const callsOf = (place: Place): readonly string[] => fs.readFileSync(path.join(place.root, 'calls'), 'utf8').split('\n').filter(Boolean);
const typed = (events: readonly Printed[], type: string): readonly Printed[] => events.filter((event) => event.type === type);

/** A session that waits for the answer to the server's question. */
async function asked(place: Place): Promise<string> {
  await withProvider(place, { steps: [{ calls: [{ name: 'CallTool', input: { tool: 'mcp__own__deploy', input: {} } }] }, 'I know.', 'And now this.'], settings: { mcpServers: { own: askingServer(place) } } });
  const first = await run(place, ['run', 'deploy it', ...FREE, '--output', 'stream-json']);
  expect(first.code, first.stderr).toBe(3);
  return sessionOf(eventsOf(first.stdout));
}

/** Answers, and kills the program while the server works on the call that was made again. */
async function killedInCall(place: Place, session: string): Promise<readonly Printed[]> {
  const program = start(place, ['answer', session, 'mars', '--output', 'stream-json']);
  await until(() => callsOf(place).length === 2);
  program.child.kill('SIGKILL');
  return eventsOf((await program.ended).stdout);
}

describe('kill -9 in the middle of a call of a server that was made again with the answer of a person', () => {
  it.each([
    ['going on with the turn', ['run'], 'I know.'],
    ['the next message', ['run', 'and now?'], 'I know.'],
  ])('closes the call as interrupted by %s, and does not make it a third time', async (_how, args, says) => {
    const place = makePlace();
    const session = await asked(place);
    const shown = await killedInCall(place, session);
    const again = await run(place, [...args, '--session', session, ...(args.length > 1 ? FREE : []), '--output', 'json']);
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining(says) });
    expect(callsOf(place)).toEqual(['first', 'with the answer']);
    const log = await stored(place, session);
    expect(log.filter(({ seq }) => shown.some((event) => event.seq === seq))).toEqual(shown.filter(({ seq }) => seq !== undefined));
    expect(typed(log, 'tool.completed')).toMatchObject([{ status: 'interrupted', output: [{ text: expect.stringContaining('outcome is unknown') }] }]);
    expect(pidsIn(path.join(place.root, 'pids')).filter(isAlive)).toEqual([]);
  }, 40_000);
});
