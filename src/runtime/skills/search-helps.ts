import path from 'node:path';
import type { Settings } from '../../config/settings.ts';
import type { Fetch } from '../../egress/http-fetch.ts';
import { messageOf, SkillmintError } from '../../protocol/errors.ts';
import type { OpenViewOptions } from '../../skills/index/open-view.ts';
import type { SkillIndex } from '../../skills/index/skill-index.ts';
import type { SharedWords } from '../../skills/search/shared-words.ts';
import { openLexicon, type Lexicon } from '../../skills/search/lexicon.ts';
import { packageRoot } from '../package-root.ts';
import { refineByMeaning } from './refine-by-meaning.ts';

/** What questions are helped with. */
export interface SearchHelpsOptions {
  readonly index: SkillIndex;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly fetch: Fetch;
  readonly words?: SharedWords | undefined;
}

/** The dictionary, which is opened with the first question, and the embeddings of the settings. What is missing is said once. */
export function searchHelps({ index, env, fetch, words }: SearchHelpsOptions): (settings: Settings) => Pick<OpenViewOptions, 'lexicon' | 'refine'> {
  let opened: { readonly lexicon: Lexicon | undefined } | undefined;
  const told = new Set<string>();
  const warn = (message: string): void => {
    if (!told.has(message)) index.addNotice(message);
    told.add(message);
  };
  const open = (): Lexicon | undefined => {
    try {
      return openLexicon(path.join(packageRoot(), 'dist', 'lexicon.txt'));
    } catch (error) {
      if (!(error instanceof SkillmintError)) throw error;
      warn(messageOf(error));
      return undefined;
    }
  };
  return ({ skills: { embeddings } }) => ({
    lexicon: () => (opened ??= { lexicon: open() }).lexicon,
    ...(embeddings ? { refine: refineByMeaning({ endpoint: embeddings, env, fetch, vectors: () => index.vectors, shared: words, warn }) } : {}),
  });
}
