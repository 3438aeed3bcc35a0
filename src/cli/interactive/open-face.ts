import { indexingNotice } from '../listings/indexing-line.ts';
import { indexingStatus, type IndexingStatus } from '../run/indexing-status.ts';
import type { Face } from './face.ts';

/** The library draws within so many ms. */
const FIRST_FRAME_MS = 2;

/** How a conversation is shown. */
export interface FaceOptions {
  readonly ephemeral: boolean;
  readonly plain: boolean;
  /** Folder that files are completed from. */
  readonly cwd: string;
}

/** A face, and what tells on it how far the first indexing of skills has come. */
export interface OpenedFace {
  readonly face: Face;
  readonly indexing: IndexingStatus;
}

/** A screen where the terminal can move its cursor, else plain lines. */
export async function openFace(options: FaceOptions): Promise<OpenedFace> {
  const { ephemeral, plain } = options;
  if (plain || process.env['TERM'] === 'dumb') {
    const [{ openConsole }, { plainFace }] = await Promise.all([import('./plain/console.ts'), import('./plain/plain-face.ts')]);
    const indexing = indexingStatus(indexingNotice, { ephemeral });
    return { face: plainFace({ console: openConsole(), indexing }), indexing };
  }
  const { openScreen } = await import('./screen/open-screen.ts');
  const screen = openScreen(options);
  const stream = { isTTY: true, write: screen.tell };
  const indexing = indexingStatus(() => indexingNotice({ stream: () => stream }), { ephemeral });
  indexing.resume();
  // The first frame comes before the rest of the program is loaded.
  await new Promise((resolve) => {
    setTimeout(resolve, FIRST_FRAME_MS);
  });
  return { face: screen, indexing };
}
