import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { FollowedEvent } from '../../src/protocol/events.ts';
import { applyToTranscript, transcriptOf } from '../../src/protocol/transcript/fold-transcript.ts';
import { isShown } from '../../web/src/chat/transcript/rows.ts';
import { emptyTranscript } from '../../src/protocol/transcript/transcript-fold.ts';
import type { TranscriptItem } from '../../src/protocol/transcript/transcript.ts';
import { sessionStore } from './session-store.ts';
import type { OpenInterface } from './open-interface.ts';

/** A session that the page shows. */
export interface ShownSession {
  readonly id: string;
  /** Sends a message. */
  readonly say: (text: string, more?: object) => Promise<void>;
  /** Asks the server about the session, `''` for the session itself. */
  readonly ask: (method: string, at: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;
  /** Resolves once the page shows, each once and in order, what the log holds. Fails after a while. */
  readonly showsTheLog: () => Promise<{ readonly items: readonly TranscriptItem[]; /** What the model has said, as the page shows it, without white space. */ readonly texts: readonly string[] }>;
}

/** An item of the page; its text is without white space. */
interface Shown {
  readonly key: string;
  readonly kind: string;
  readonly text: string;
}

/** What the model has said in the conversation; what a reader of a screen is told beside it does not count. */
export function said(page: Page, text: string): Locator {
  return page.locator('[data-kind="text"]').getByText(text);
}

const ROWS = `[...document.querySelectorAll('[data-key]')].map((item) => ({ key: item.dataset.key, kind: item.dataset.kind, text: item.textContent.replace(/\\s+/g, '') }))`;

/** Makes a session and shows it. */
export async function showNewSession({ served, page, url, place }: OpenInterface, made: object = {}): Promise<ShownSession> {
  const created = await served().ask('POST', '/api/sessions', { body: { mode: 'unrestricted', ...made } });
  expect(created.status, created.text).toBe(201);
  const id = String(created.json['id']);
  const ask: ShownSession['ask'] = async (method, at, body) => {
    const answer = await served().ask(method, `/api/sessions/${id}${at}`, body === undefined ? {} : { body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json;
  };
  const shown = async (): Promise<readonly Shown[]> => {
    const rows: readonly Shown[] = await page.evaluate(ROWS);
    return rows.reduce<readonly Shown[]>((items, row) => (items.at(-1)?.key === row.key ? [...items.slice(0, -1), { ...row, text: `${items.at(-1)?.text}${row.text}` }] : [...items, row]), []);
  };
  const showsTheLog: ShownSession['showsTheLog'] = async () => {
    const keys = async (): Promise<readonly string[]> => (await shown()).map(({ key }) => key);
    const size = page.viewportSize();
    // What is scrolled away is not in the page.
    await page.setViewportSize({ width: 1280, height: 8_000 });
    await expect.poll(async () => ({ keys: await keys() }), { timeout: 15_000 }).toEqual({ keys: (await loggedItems(place, id)).map(({ key }) => key) });
    const items = await loggedItems(place, id);
    const texts = (await shown()).flatMap(({ kind, text }) => (kind === 'text' ? [text] : []));
    if (size) await page.setViewportSize(size);
    return { items, texts };
  };
  await page.goto(`${url()}/chat/${id}`);
  return { id, ask, showsTheLog, say: async (text, more = {}) => void (await ask('POST', '/messages', { text, ...more })) };
}

/** What the stored events of a session show. */
async function loggedItems(place: OpenInterface['place'], id: string): Promise<readonly TranscriptItem[]> {
  const store = sessionStore(place);
  const fold = emptyTranscript();
  try {
    for await (const event of store.read(id)) applyToTranscript(fold, event satisfies FollowedEvent);
  } finally {
    await store.close();
  }
  return transcriptOf(fold).items.filter(isShown);
}
