import type { KeptSkill, SkillFacts } from './kept-skill.ts';
import { isMeta, isUsable, type SkillEntry } from './skill-entry.ts';
import type { SkillProblem } from './skill-root.ts';
import type { TimeSlices } from './time-slices.ts';
import type { FoundSkill } from './walk-root.ts';

/** All skills that were found, best first within a name, and what could not be searched. */
export interface SkillCatalogue {
  readonly entries: readonly SkillEntry[];
  readonly problems: readonly SkillProblem[];
  /** False while roots are still to be searched. */
  readonly complete: boolean;
  /** Why the next search has to read everything again: what was found could not be kept. */
  readonly notKept?: SkillProblem;
}

/** A skill that was found and read. */
export interface ReadSkill {
  readonly found: FoundSkill;
  readonly facts: SkillFacts;
  /** Of its files as they were just before they were read; undefined when it must not be kept. */
  signature: string | undefined;
  /** What an earlier search has kept of the same files. */
  readonly kept: KeptSkill | undefined;
  /** Once it is known. */
  digest: string | undefined;
}

/** What hides skills: settings and permission rules of the caller. */
export interface Visibility {
  /** Ids that the person switched off. */
  readonly disabled: ReadonlySet<string>;
  /** A reason when a rule denies the skill. */
  readonly denied: (skill: { readonly id: string; readonly name: string }) => string | undefined;
  /** Skills about skills are offered like all others. */
  readonly offersMeta?: boolean;
}

/** What the entries are made with. */
export interface EntryOptions {
  readonly visibility: Visibility;
  /** Every entry gets its digest. */
  readonly digests: boolean;
  readonly digestOf: (skill: ReadSkill) => Promise<string>;
  readonly slices: TimeSlices;
}

/** Gives every skill, in the order of discovery, its id and status: earlier ones win an id, and the same folder or content is usable once. */
export async function buildEntries(skills: readonly ReadSkill[], { visibility, digests, digestOf, slices }: EntryOptions): Promise<readonly SkillEntry[]> {
  const seen: Seen = { byId: new Map(), byFolder: new Map(), byName: new Map() };
  const entries: SkillEntry[] = [];
  for (const skill of skills) {
    if (digests && skill.digest === undefined) await digestOf(skill);
    const entry = buildEntry(skill, visibility);
    if (isUsable(entry)) {
      const namesakes = seen.byName.get(entry.name);
      const twin = seen.byFolder.get(skill.found.realFolder) ?? seen.byId.get(entry.id) ?? (namesakes && (await sameContent(skill, namesakes, digestOf)));
      entries.push(twin ? shadowed(entry, twin, skill.found, seen) : place({ entry, skill }, namesakes, seen));
    } else entries.push(entry);
    if (slices.isUp()) await slices.rest();
  }
  return entries;
}

interface Placed {
  readonly entry: SkillEntry;
  readonly skill: ReadSkill;
}

interface Seen {
  readonly byId: Map<string, SkillEntry>;
  readonly byFolder: Map<string, SkillEntry>;
  readonly byName: Map<string, Placed[]>;
}

function buildEntry({ found, facts, digest }: ReadSkill, visibility: Visibility): SkillEntry {
  const { name, description, frontmatter } = facts;
  const id = `${found.root.source}:${name}`;
  const disabled = visibility.disabled.has(id) || visibility.disabled.has(name);
  const hidden = disabled ? `${id} is switched off` : (visibility.denied({ id, name }) ?? notInvocable(frontmatter));
  const status = facts.status !== 'rejected' && hidden !== undefined ? 'hidden' : facts.status;
  return {
    id,
    name,
    description,
    source: found.root.source,
    path: found.file,
    status,
    reason: status === 'hidden' ? hidden : facts.reason,
    enabled: !disabled,
    folder: found.folder,
    handle: name,
    frontmatter,
    ...(isMeta({ frontmatter }) && visibility.offersMeta !== true ? { onlyByName: true } : {}),
    diagnostics: [...found.diagnostics, ...facts.diagnostics],
    ...(found.root.pluginRoot === undefined ? {} : { pluginRoot: found.root.pluginRoot }),
    ...(digest === undefined ? {} : { digest }),
  };
}

function notInvocable(frontmatter: SkillFacts['frontmatter']): string | undefined {
  const nobody = frontmatter.disableModelInvocation === true && frontmatter.userInvocable === false;
  return nobody ? 'neither the model nor a person may call it' : undefined;
}

function place({ entry, skill }: Placed, namesakes: Placed[] | undefined, seen: Seen): SkillEntry {
  const placed = namesakes ? { ...entry, handle: entry.id } : entry;
  seen.byFolder.set(skill.found.realFolder, placed);
  seen.byId.set(entry.id, placed);
  if (namesakes) namesakes.push({ entry: placed, skill });
  else seen.byName.set(entry.name, [{ entry: placed, skill }]);
  return placed;
}

async function sameContent(skill: ReadSkill, others: readonly Placed[], digestOf: EntryOptions['digestOf']): Promise<SkillEntry | undefined> {
  const own = await digestOf(skill);
  for (const other of others) if ((await digestOf(other.skill)) === own) return other.entry;
  return undefined;
}

function shadowed(entry: SkillEntry, twin: SkillEntry, found: FoundSkill, seen: Seen): SkillEntry {
  const content = twin.id === entry.id ? `${twin.path} has the same id and comes first` : `its content is that of ${twin.id} (${twin.path})`;
  return { ...entry, status: 'shadowed', reason: seen.byFolder.has(found.realFolder) ? `the same folder is listed as ${twin.id} (${twin.path})` : content };
}
