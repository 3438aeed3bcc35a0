import { createModelFetch } from '../egress/model-fetch.ts';
import { SkillIndex } from '../skills/index/skill-index.ts';
import type { IndexProgress } from '../skills/index/work-on-roots.ts';
import type { SkillView } from '../skills/skill-view.ts';
import { VERSION } from '../version.ts';
import { searchHelps } from './search-helps.ts';
import { indexFile, viewSources, type LibraryParts } from './find-skills.ts';

/** How long known skills are compared with their files before a search, ms. */
const CHECK_MS = 300;

/** A view for one command. */
export interface WholeView {
  readonly view: SkillView;
  close(): Promise<void>;
}

/** The skills of a folder for a person who waits: all are read before, and what changed is found where it is not too much. */
export async function openWholeView(cwd: string, parts: LibraryParts, { progress }: { readonly progress?: (progress: IndexProgress) => void } = {}): Promise<WholeView> {
  const index = new SkillIndex({ ...parts, file: indexFile(parts.dataFolder), program: VERSION, worker: `search ${process.pid}` });
  try {
    const help = searchHelps({ index, env: parts.env, fetch: createModelFetch(parts.env) })(parts.settings.values);
    const sources = { ...(await viewSources(cwd, parts)), ...help, budgetMs: 0 };
    const { roots } = await index.openView(sources);
    await index.fill(roots, progress ? { progress } : {});
    await index.check(roots, CHECK_MS);
    const { view } = await index.openView(sources);
    return { view, close: () => index.close() };
  } catch (error) {
    await index.close();
    throw error;
  }
}
