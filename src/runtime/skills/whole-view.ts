import { createModelFetch } from '../../egress/model-fetch.ts';
import type { Visibility } from '../../skills/discover/catalogue.ts';
import type { OpenRoot } from '../../skills/index/index-root.ts';
import { SkillIndex } from '../../skills/index/skill-index.ts';
import type { FillOptions } from '../../skills/index/work-on-roots.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { VERSION } from '../../version.ts';
import { searchHelps } from './search-helps.ts';
import { indexFile, viewSources, type LibraryParts } from './find-skills.ts';

/** How long known skills are compared with their files before a search, ms. */
const CHECK_MS = 300;

/** A view for one command. */
export interface WholeView {
  readonly view: SkillView;
  /** What the view was made of. */
  readonly index: SkillIndex;
  readonly roots: readonly OpenRoot[];
  readonly visibility: Visibility;
  close(): Promise<void>;
}

/** The skills of a folder for a person who waits: all are read before, and what changed is found where it is not too much. */
export async function openWholeView(cwd: string, parts: LibraryParts, { progress, signal }: FillOptions = {}): Promise<WholeView> {
  const index = new SkillIndex({ ...parts, file: indexFile(parts.dataFolder), program: VERSION, worker: `search ${process.pid}` });
  try {
    const help = searchHelps({ index, env: parts.env, fetch: createModelFetch(parts.env) })(parts.settings.values);
    const sources = { ...(await viewSources(cwd, parts)), ...help, budgetMs: 0 };
    const { roots } = await index.openView(sources);
    await index.fill(roots, { progress, signal });
    await index.check(roots, CHECK_MS);
    const { view, roots: known } = await index.openView(sources);
    return { view, index, roots: known, visibility: sources, close: () => index.close() };
  } catch (error) {
    await index.close();
    throw error;
  }
}
