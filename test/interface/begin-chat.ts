import type { Page } from 'playwright-core';
import type { FakeRequest } from '../../src/testing/fake-provider/script.ts';
import { isObject } from '../../src/protocol/json.ts';

/** Sends the first message of a new chat and waits until its page is there; gives the id of its session. */
export async function beginChat(page: Page, text: string): Promise<string> {
  await sendMessage(page, text);
  await page.waitForURL(/\/chat\/ses_/);
  return new URL(page.url()).pathname.replace('/chat/', '');
}

/** Writes a message and sends it by Enter. */
export async function sendMessage(page: Page, text: string): Promise<void> {
  await page.getByLabel('Message').fill(text);
  await page.getByLabel('Message').press('Enter');
}

/** The messages of a request in the format of OpenAI chat, as one text for each. */
export function messagesOf(request: FakeRequest | undefined): readonly { readonly role: string; readonly text: string }[] {
  const messages = request?.body['messages'];
  return (Array.isArray(messages) ? messages : []).flatMap((message: unknown) => (isObject(message) ? [{ role: String(message['role']), text: JSON.stringify(message['content']) }] : []));
}

/** A promise that somebody else keeps. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** What stands out of the window at its right, but for what scrolls by itself. */
export function standingOut(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((element) => !element.closest('pre, table, nav') && element.getBoundingClientRect().right > window.innerWidth + 1)
    .map((element) => element.outerHTML.slice(0, 120))`);
}
