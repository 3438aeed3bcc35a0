import { SkillIndex } from '../skills/index/skill-index.ts';
import type { IndexProgress } from '../skills/index/work-on-roots.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { searchLexicon } from './search-lexicon.ts';
import { VERSION } from '../version.ts';
import { indexFile, viewSources, type LibraryParts } from './find-skills.ts';

/** How long known skills are compared with their files before a search, ms. */
const CHECK_MS = 300;

/** A view for one command. */
export interface WholeView {
  readonly view: SkillView;
  /** What a person should know of the index. */
  readonly notices: readonly string[];
  close(): Promise<void>;
}

/** The skills of a folder for a person who waits: all are read before, and what changed is found where it is not too much. */
export async function openWholeView(cwd: string, parts: LibraryParts, { progress }: { readonly progress?: (progress: IndexProgress) => void } = {}): Promise<WholeView> {
  const index = new SkillIndex({ ...parts, file: indexFile(parts.dataFolder), program: VERSION, worker: `search ${process.pid}` });
  try {
    const sources = { ...(await viewSources(cwd, parts)), lexicon: searchLexicon(), budgetMs: 0 };
    const { roots } = await index.openView(sources);
    await index.fill(roots, progress ? { progress } : {});
    await index.check(roots, CHECK_MS);
    const { view } = await index.openView(sources);
    return { view, notices: index.takeNotices(), close: () => index.close() };
  } catch (error) {
    await index.close();
    throw error;
  }
}
