import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { StoredBody } from '../../src/protocol/events.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { openInterface, picture, type OpenInterface } from './open-interface.ts';
import { writeSession } from './session-store.ts';

/** Events of a turn; 715 of them are a session of 5,005. */
const TURNS = 715;
const USAGE = { input: 1_000, output: 200, cache_read: 500, cache_write: 0 };

function turn(index: number): readonly StoredBody[] {
  const callId = `call_${index}`;
  const text = `## Step ${index}\n\nI read the file and change **one** thing:\n\n- first \`a${index}\`\n- then \`b${index}\`\n\n\`\`\`ts\nexport const value${index} = ${index};\nconsole.log(value${index});\n\`\`\`\n\nThat was step ${index}.`;
  return [
    { type: 'turn.started', turn_id: `turn_${index}`, input: [{ type: 'text', text: `Question ${index}: what stands in file ${index}?` }] },
    { type: 'message.completed', role: 'assistant', content: [{ type: 'text', text: 'I look.' }, { type: 'tool_call', call_id: callId, tool: 'Bash', input: { command: `cat file-${index}.ts` } }], usage: USAGE },
    { type: 'tool.requested', call_id: callId, tool: 'Bash', input: { command: `cat file-${index}.ts` } },
    { type: 'tool.started', call_id: callId },
    { type: 'tool.completed', call_id: callId, status: 'ok', output: [{ type: 'text', text: `line\n`.repeat(40) }], duration_ms: 120, ...(index % 10 === 0 ? { details: { path: 'x', diff: `--- x\n+++ x\n@@ -1,2 +1,2 @@\n same\n-old ${index}\n+new ${index}\n` } } : {}) },
    { type: 'message.completed', role: 'assistant', content: [{ type: 'text', text }], usage: USAGE },
    { type: 'turn.completed', turn_id: `turn_${index}`, status: 'done', usage: USAGE, text },
  ];
}

/** Time of the processor that one turn of the wheel may take the page, ms; the time by the clock says more about what else the machine does. */
const MOST_CPU_MS = 80;
/** Until the end of the session can be read, ms; alone a tenth of it. */
const MOST_OPENING_MS = 15_000;

/** Counts from now on what takes the page longer than 50 ms, and the longest time between two frames. */
const WATCH = `(() => {
  const seen = { tasks: [], longestFrame: 0, frames: 0, over50: 0, over100: 0 };
  new PerformanceObserver((list) => { for (const { duration } of list.getEntries()) seen.tasks.push(Math.round(duration)); }).observe({ type: 'longtask' });
  let last = performance.now();
  const frame = (now) => { seen.frames += 1; seen.longestFrame = Math.max(seen.longestFrame, now - last); if (now - last > 50) seen.over50 += 1; if (now - last > 100) seen.over100 += 1; last = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
  globalThis.seen = seen;
})()`;

interface Seen {
  readonly tasks: readonly number[];
  readonly longestFrame: number;
  readonly frames: number;
  readonly over50: number;
  readonly over100: number;
}

async function openLong(): Promise<OpenInterface & { readonly opening: number }> {
  const opened = await openInterface();
  await writeSession(opened.place, 'ses_long', Array.from({ length: TURNS }, (_, index) => turn(index)).flat());
  const began = performance.now();
  await opened.page.goto(`${opened.url()}/chat/ses_long`);
  await opened.page.getByText(`That was step ${TURNS - 1}.`).first().waitFor();
  return { ...opened, opening: performance.now() - began };
}

/** Processor time of the page since now, ms. */
async function cpuClock(page: Page): Promise<() => Promise<number>> {
  const protocol = await page.context().newCDPSession(page);
  await protocol.send('Performance.enable', { timeDomain: 'threadTicks' });
  const read = async (): Promise<number> => 1_000 * ((await protocol.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN);
  const began = await read();
  return async () => (await read()) - began;
}

describe.skipIf(withoutChromium)('a session of 5,000 events', () => {
  it('opens at its end, scrolls to its start without a stall, and has only what is in sight in the page', { timeout: 120_000 }, async () => {
    const { page, opening, faults } = await openLong();
    await page.evaluate(WATCH);
    const cpu = await cpuClock(page);
    await page.getByRole('region', { name: 'Conversation' }).hover();
    const top = (): Promise<number> => page.evaluate('document.querySelector("[role=region]").scrollTop');
    let wheels = 0;
    for (; (await top()) > 0 && wheels < 1_000; wheels += 1) await page.mouse.wheel(0, -1_000);
    await page.locator('[data-kind="person"]').getByText('Question 0:').waitFor();
    const seen: Seen = await page.evaluate('globalThis.seen');
    const cpuMs = (await cpu()) / wheels;
    const nodes = Number(await page.evaluate('document.querySelectorAll("*").length'));
    const rows = Number(await page.evaluate('document.querySelectorAll("[data-row]").length'));
    expect(rows).toBeLessThan(120);
    expect(nodes).toBeLessThan(3_000);
    expect(opening).toBeLessThan(MOST_OPENING_MS);
    expect(cpuMs, `${wheels} turns of the wheel: ${JSON.stringify(seen)}`).toBeLessThan(MOST_CPU_MS);
    expect(seen.frames).toBeGreaterThan(wheels);
    await picture(page, 'transcript-long');
    await page.getByRole('button', { name: 'To the end' }).click();
    await page.getByText(`That was step ${TURNS - 1}.`).waitFor();
    expect(faults).toEqual([]);
  });
});
