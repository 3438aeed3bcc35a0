import { DEMO_INFO } from '../../model/demo.ts';
import type { Model } from '../../model/model.ts';
import type { Visibility } from '../../skills/discover/catalogue.ts';
import type { OpenRoot } from '../../skills/index/index-root.ts';
import type { SkillIndex } from '../../skills/index/skill-index.ts';
import type { SharedWords } from '../../skills/search/shared-words.ts';
import { TAG_BATCH } from '../../skills/search/generate-tags.ts';
import { costText, tagAsker } from './tag-asker.ts';

/** What tags are written with beside a turn. */
export interface BackgroundTags {
  readonly index: SkillIndex;
  readonly roots: readonly OpenRoot[];
  readonly visibility: Visibility;
  readonly shared: SharedWords | undefined;
  /** Paths of skills that come first. */
  readonly first: Iterable<string>;
  /** Throws where it cannot be asked. */
  readonly smallModel: () => Model;
  /** Says something to the person within the turn; false when that has ended. */
  readonly tell: (message: string) => Promise<boolean>;
}

/** Has the small model write tags for one batch of skills. What it cost, and what went wrong, is said in the turn, or with the next one. Rejects for what is no matter of the model. */
export async function tagInBackground(work: BackgroundTags): Promise<void> {
  const message = await tagBatch(work);
  if (message === undefined) return;
  // A log that cannot be written ends the turn with an error of its own.
  const told = await work.tell(message).catch(() => false);
  if (!told) work.index.addNotice(message);
}

async function tagBatch({ index, roots, visibility, shared, first, smallModel }: BackgroundTags): Promise<string | undefined> {
  const model = smallModel();
  const { provider, id } = model.info;
  // It answers from a script.
  if (provider === DEMO_INFO.provider) return undefined;
  const { ask, cost } = tagAsker(model);
  const { wanted, tagged, unreadable, failure, stopped } = await index.tag(roots, { visibility, shared, first, ask, limit: TAG_BATCH, background: true });
  const later = 'Skills are searched without them; it is tried again in an hour, or now with: skillmint skills tag';
  if (failure !== undefined) return `${provider}/${id} could not write search tags for skills: ${failure}. ${later}`;
  if (unreadable > 0) return `The search tags that ${provider}/${id} was to write for ${unreadable} skills could not be understood (${costText(cost())}). ${later}`;
  return stopped || cost().calls === 0 ? undefined : `${provider}/${id} wrote search tags for ${tagged} of ${wanted} skills (${costText(cost())}), as skills.generateTags says.`;
}
