import { describe, expect, it } from 'vitest';
import type { ModelRequest } from '../../src/model/model.ts';
import { scriptedModel, type ScriptedReply, type ScriptedStep } from '../../src/testing/scripted-model.ts';
import { estimateTokens } from '../../src/util/estimate-tokens.ts';
import { eventsOf, makePlace, open, say, writeSkill } from './open.ts';

const LINES = 1_100;
const BODY = Array.from({ length: LINES }, (_, i) => `Line ${i} of instructions that are long enough to matter here, all of them.`).join('\n');
const load = (skill: string) => ({ calls: [{ tool: 'Skill', input: { skill } }] });
const sentText = (request: ModelRequest | undefined): string => JSON.stringify(request?.messages);
const linesIn = (text: string): number => new Set(text.match(/Line \d+ of/g)).size;

/** A step of a model that refuses what its context does not hold. */
function within(contextWindow: number, reply: ScriptedStep): ScriptedStep {
  return (request, index) => {
    const tokens = estimateTokens(sentText(request) + request.system + JSON.stringify(request.tools));
    if (tokens > contextWindow) return { failure: { kind: 'overflow', message: `${tokens} tokens are more than ${contextWindow}`, retryable: false } };
    return typeof reply === 'function' ? reply(request, index) : reply;
  };
}

describe('instructions of 80 kB', () => {
  it('reach a model of 200,000 tokens whole and once, and stay over a compaction', async () => {
    expect(BODY.length).toBeGreaterThan(73_000);
    const place = makePlace();
    writeSkill(place, 'huge', { body: BODY });
    const model = scriptedModel([load('huge'), load('huge'), 'one', 'two', 'SUMMARY', 'three'].map((step) => within(200_000, step)));
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'work', cwd: place.project });
    expect(linesIn(sentText(model.requests[1]))).toBe(LINES);
    expect(sentText(model.requests[2]).split('Line 7 of').length - 1).toBe(1);
    await say(runtime, { text: 'more '.repeat(2_000), sessionId: result.session_id });
    await runtime.compact(result.session_id);
    await say(runtime, { text: 'go on', sessionId: result.session_id });
    expect(sentText(model.requests[5])).toContain('SUMMARY');
    expect(linesIn(sentText(model.requests[5]))).toBe(LINES);
  });

  it('are cut for a model of 8,000 tokens, which is told where the rest is; the session goes on through compactions', async () => {
    const place = makePlace();
    const file = writeSkill(place, 'huge', { body: BODY });
    writeSkill(place, 'small', { body: 'BODY OF SMALL' });
    const replies: readonly ScriptedReply[] = [load('huge'), { text: 'one' }, load('small'), ...['two', 'three', 'four', 'five', 'six'].map((text) => ({ text }))];
    let next = 0;
    // When the history is compacted depends on what else a request holds.
    const step: ScriptedStep = ({ tools }) => (tools.length === 0 ? 'SUMMARY' : replies[next++] ?? 'more');
    const model = scriptedModel(Array.from({ length: 30 }, () => within(8_000, step)), { contextWindow: 8_000, maxOutput: 500 });
    const { runtime } = await open(model, { place });
    const { result } = await say(runtime, { text: 'work', cwd: place.project });
    expect(result).toMatchObject({ status: 'done', text: 'one' });
    const given = sentText(model.requests[1]);
    expect(linesIn(given)).toBeGreaterThan(100);
    expect(given).toContain(`The rest is in ${file}: read it there in parts`);
    const texts: string[] = [];
    for (let i = 0; i < 4; i += 1) {
      const { result: then, events } = await say(runtime, { text: `go on ${i} ${'with many words '.repeat(150)}`, sessionId: result.session_id });
      expect(then).toMatchObject({ status: 'done' });
      texts.push(...eventsOf(events, 'context.compacted').map(({ carried }) => carried));
    }
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.at(-1)).toContain(`Active, left out here for its length. Read ${file}`);
    // In what is carried over, or still in the history.
    expect(sentText(model.requests.at(-1))).toContain('BODY OF SMALL');
  });
});
