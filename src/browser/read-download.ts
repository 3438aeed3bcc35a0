import fs from 'node:fs/promises';
import { failed, ok } from '../protocol/tool.ts';
import type { BrowserResult } from '../tools/define.ts';
import type { SessionPages } from './session-pages.ts';

const MOST_BYTES = 256 * 1024 * 1024;
const FINISH_MS = 120_000;

/** The file of a download, when it is complete. */
export async function readDownload(pages: SessionPages, id: string | undefined): Promise<BrowserResult> {
  const download = pages.download(id);
  if (!download) return { outcome: failed(id === undefined ? 'No page has begun a download.' : `There is no download ${JSON.stringify(id.slice(0, 40))}.`) };
  const name = JSON.stringify(download.suggestedFilename());
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => { timer = setTimeout(() => resolve(undefined), FINISH_MS); });
  try {
    const file = await Promise.race([download.path(), late]);
    if (file === undefined) return { outcome: failed(`The download ${name} is not complete after ${FINISH_MS / 1000} s. Try again later.`) };
    const { size } = await fs.stat(file);
    if (size > MOST_BYTES) return { outcome: failed(`The download ${name} has ${size} bytes; at most ${MOST_BYTES} can be kept.`) };
    // Notes come with the next result: this one's text gives way to that of the file that is written.
    return { outcome: ok(`${name}, ${size} bytes`, { details: { name: download.suggestedFilename(), bytes: size } }), file: { bytes: await fs.readFile(file), mediaType: 'application/octet-stream' } };
  } catch (error) {
    const why = await download.failure().catch(() => null);
    return { outcome: failed(`The download ${name} failed: ${why ?? String(error).slice(0, 200)}.`) };
  } finally {
    clearTimeout(timer);
  }
}
