import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import { displayUrl } from '../../egress/display-url.ts';
import type { EgressLimits } from '../../egress/egress-limits.ts';
import type { GuardedFetch } from '../../egress/guarded-fetch.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { type Integrity, integrityText } from './integrity.ts';
import { LIMITS } from './limits.ts';

/** Most bytes of an archive, and most ms for fetching it. */
const ARCHIVE_LIMITS: Pick<EgressLimits, 'bodyBytes' | 'totalMs'> = { bodyBytes: LIMITS.archiveBytes, totalMs: 60_000 };

/** What to fetch into a file. */
export interface DownloadOptions {
  readonly fetch: GuardedFetch;
  /** Absolute; must not exist. Removed again when the download fails. */
  readonly file: string;
  /** What the bytes must be; without it any will do, and their sha512 is given. */
  readonly integrity?: Integrity | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What was fetched. */
export interface Downloaded {
  /** The address after all redirects, without a query: after a redirect it often is a key for a short time. */
  readonly resolved: string;
  readonly integrity: string;
  readonly contentType: string;
}

/**
 * Fetches an address into a file, byte for byte as it is sent. Throws `not_found`, `install_refused` where the bytes are
 * not the expected ones, and what the guarded fetch throws.
 */
export async function download(url: string, { fetch, file, integrity, signal }: DownloadOptions): Promise<Downloaded> {
  const answer = await fetch(url, { limits: ARCHIVE_LIMITS, plainHttp: 'listed', encoding: 'keep', ...(signal === undefined ? {} : { signal }) });
  if (!answer.ok) {
    answer.cancel();
    throw statusProblem(answer.url, answer.status);
  }
  const hash = createHash(integrity?.algorithm ?? 'sha512');
  try {
    await writeHashed(answer.body, file, hash);
    const found: Integrity = { algorithm: integrity?.algorithm ?? 'sha512', digest: hash.digest('base64') };
    if (integrity !== undefined && integrity.digest !== found.digest) {
      throw new SkillmintError('install_refused', `${displayUrl(new URL(url))} is refused: its bytes hash to ${integrityText(found)}, not to ${integrityText(integrity)} as they should. It was changed or damaged: try again, and install it anew if it was locked and you trust what is there now.`);
    }
    return { resolved: resolvedAddress(answer.url), integrity: integrityText(found), contentType: answer.headers.get('content-type') ?? '' };
  } catch (error) {
    await fs.rm(file, { force: true });
    throw error;
  }
}

/** Which text to fetch. */
export interface TextOptions extends Pick<DownloadOptions, 'fetch' | 'signal'> {
  /** The types that are understood. */
  readonly accept: string;
  /** 10 MiB unless told. */
  readonly bodyBytes?: number;
}

/** The text behind an address, and the address after all redirects. Same errors as `download`. */
export async function fetchText(url: string, { fetch, accept, bodyBytes, signal }: TextOptions): Promise<{ readonly url: string; readonly text: string }> {
  const answer = await fetch(url, { headers: { accept }, plainHttp: 'listed', ...(bodyBytes === undefined ? {} : { limits: { bodyBytes } }), ...(signal === undefined ? {} : { signal }) });
  if (!answer.ok) {
    answer.cancel();
    throw statusProblem(answer.url, answer.status);
  }
  return { url: answer.url, text: await answer.text() };
}

/** Parses JSON that came from an address. Throws `network_failed` when it is none. */
export function parseFetchedJson(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SkillmintError('network_failed', `${displayUrl(new URL(url))} did not answer with JSON. Check the address.`, { cause: error });
  }
}

async function writeHashed(body: AsyncIterable<Uint8Array>, file: string, hash: ReturnType<typeof createHash>): Promise<void> {
  const handle = await fs.open(file, 'wx', 0o600);
  try {
    for await (const chunk of body) {
      hash.update(chunk);
      await handle.write(chunk);
    }
  } finally {
    await handle.close();
  }
}

function resolvedAddress(address: string): string {
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}

function statusProblem(address: string, status: number): SkillmintError {
  const url = displayUrl(new URL(address));
  if (status === 404 || status === 410) return new SkillmintError('not_found', `${url} does not exist (status ${status}). Check the address.`);
  const advice = status === 401 || status === 403 ? 'It needs a login, which is not supported: fetch it yourself and install the file.' : 'Try again later.';
  return new SkillmintError('network_failed', `${url} answered with the status ${status}. ${advice}`);
}
