import type { ReadTree } from '../../host/host.ts';
import { digestSkill } from '../digest.ts';
import type { SkillDocument } from '../read/read-skill-md.ts';
import { isUsable, type SkillEntry } from './skill-entry.ts';
import type { SkillProblem } from './skill-root.ts';
import type { FoundSkill } from './walk-root.ts';

/** All skills that were found, best first within a name, and what could not be searched. */
export interface SkillCatalogue {
  readonly entries: readonly SkillEntry[];
  readonly problems: readonly SkillProblem[];
  /** False while roots are still to be searched. */
  readonly complete: boolean;
}

/** A skill that was found and read, in the order of discovery. */
export interface ReadSkill {
  readonly found: FoundSkill;
  readonly document: SkillDocument;
}

/** What hides skills: settings and permission rules of the caller. */
export interface Visibility {
  /** Ids that the person switched off. */
  readonly disabled: ReadonlySet<string>;
  /** A reason when a rule denies the skill. */
  readonly denied: (skill: { readonly id: string; readonly name: string }) => string | undefined;
}

/** Gives every skill its id and status: earlier ones win an id, and the same folder or content is usable once. `pause` lets others run. */
export async function buildEntries(skills: readonly ReadSkill[], { tree, visibility, pause }: { readonly tree: ReadTree; readonly visibility: Visibility; readonly pause: () => Promise<void> }): Promise<readonly SkillEntry[]> {
  const seen: Seen = { tree, byId: new Map(), byFolder: new Map(), byName: new Map() };
  const entries: SkillEntry[] = [];
  for (const skill of skills) {
    entries.push(place(buildEntry(skill, visibility), skill.found, seen));
    await pause();
  }
  return entries;
}

interface Placed {
  readonly entry: SkillEntry;
  readonly found: FoundSkill;
}

interface Seen {
  readonly tree: ReadTree;
  readonly byId: Map<string, SkillEntry>;
  readonly byFolder: Map<string, SkillEntry>;
  readonly byName: Map<string, Placed[]>;
}

function buildEntry({ found, document }: ReadSkill, visibility: Visibility): SkillEntry {
  const { name, description, frontmatter } = document;
  const id = `${found.root.source}:${name}`;
  const disabled = visibility.disabled.has(id) || visibility.disabled.has(name);
  const hidden = disabled ? `${id} is switched off` : (visibility.denied({ id, name }) ?? notInvocable(frontmatter));
  const status = document.status !== 'rejected' && hidden !== undefined ? 'hidden' : document.status;
  return {
    id,
    name,
    description,
    source: found.root.source,
    path: found.file,
    status,
    reason: status === 'hidden' ? hidden : document.reason,
    enabled: !disabled,
    folder: found.folder,
    handle: name,
    frontmatter,
    diagnostics: [...found.diagnostics, ...document.diagnostics],
  };
}

function notInvocable(frontmatter: SkillDocument['frontmatter']): string | undefined {
  const nobody = frontmatter.disableModelInvocation === true && frontmatter.userInvocable === false;
  return nobody ? 'neither the model nor a person may call it' : undefined;
}

function place(entry: SkillEntry, found: FoundSkill, seen: Seen): SkillEntry {
  if (!isUsable(entry)) return entry;
  const twin = seen.byFolder.get(found.realFolder) ?? seen.byId.get(entry.id) ?? sameContent(found, seen.byName.get(entry.name) ?? [], seen.tree);
  if (twin) return { ...entry, status: 'shadowed', reason: shadowReason(entry, twin, found, seen) };
  const others = seen.byName.get(entry.name) ?? [];
  const placed = others.length === 0 ? entry : { ...entry, handle: entry.id };
  seen.byFolder.set(found.realFolder, placed);
  seen.byId.set(entry.id, placed);
  seen.byName.set(entry.name, [...others, { entry: placed, found }]);
  return placed;
}

function sameContent(found: FoundSkill, others: readonly Placed[], tree: ReadTree): SkillEntry | undefined {
  if (others.length === 0) return undefined;
  const own = digestSkill(tree, found.realFolder).digest;
  return others.find((other) => digestSkill(tree, other.found.realFolder).digest === own)?.entry;
}

function shadowReason(entry: SkillEntry, twin: SkillEntry, found: FoundSkill, seen: Seen): string {
  if (seen.byFolder.has(found.realFolder)) return `the same folder is listed as ${twin.id} (${twin.path})`;
  return twin.id === entry.id ? `${twin.path} has the same id and comes first` : `its content is that of ${twin.id} (${twin.path})`;
}
