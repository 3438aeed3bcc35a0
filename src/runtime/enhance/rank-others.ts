import fs from 'node:fs/promises';
import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { isOfferable, type SkillEntry } from '../../skills/discover/skill-entry.ts';
import { openArm } from '../evaluate/arm-runtime.ts';
import { findSuites } from '../evaluate/find-suites.ts';
import type { RuntimeParts } from '../parts.ts';
import type { SandboxGuard } from '../permissions/sandbox-guard.ts';
import { findSkills } from '../skills/find-skills.ts';
import type { WorseMessage } from './enhancement.ts';

/** Other skills that are looked at, those with trigger suites first. */
const MOST_OTHERS = 200;
/** Places that are looked at. A turn offers eight. */
const PLACES = 20;
const OFFERED = 8;

/** Which version takes the place of which skill. */
export interface RankOthers {
  readonly parts: RuntimeParts;
  readonly guard: SandboxGuard;
  readonly cwd: string;
  readonly skill: { readonly id: string; readonly name: string };
  /** Folders of the versions, absolute. */
  readonly old: string;
  readonly edited: string;
  /** For what it needs on the disk, absolute. */
  readonly work: string;
}

/** What the ranking says of the messages of other skills. */
export interface RankedOthers {
  /** Messages whose own skill the edited one has overtaken, or pushed from among those that a turn offers. */
  readonly worse: readonly WorseMessage[];
  /** Messages for which a turn offers the edited skill otherwise than the old one: what a model makes of that is not known. */
  readonly changed: readonly WorseMessage[];
  /** Ids of the skills that were ranked. */
  readonly others: readonly string[];
}

interface Place {
  readonly name: string;
  readonly description: string;
}

/** Ranks all skills for the messages of every other skill's trigger suite, with the old version and with the edited one. */
export async function rankOthers(given: RankOthers): Promise<RankedOthers> {
  const { parts, cwd, skill } = given;
  const { entries } = await findSkills(cwd, { ...parts, tree: parts.host.tree, settings: await parts.settings(cwd) }, parts.skillViews.listing);
  const all = entries.filter((entry) => isOfferable(entry) && entry.id !== skill.id && entry.name !== skill.name && parts.host.tree.stat(entry.folder).kind === 'directory');
  const messages = new Map(all.map((entry) => [entry, messagesFor(parts, entry)] as const).filter(([, queries]) => queries.length > 0));
  if (messages.size === 0) return { worse: [], changed: [], others: [] };
  const others = [...messages.keys(), ...all.filter((entry) => !messages.has(entry))].slice(0, MOST_OTHERS);
  const asked = [...messages].filter(([entry]) => others.includes(entry)).flatMap(([entry, queries]) => queries.map((query) => ({ entry, query })));
  const before = await placesWith(given, given.old, others, asked.map(({ query }) => query));
  const after = await placesWith(given, given.edited, others, asked.map(({ query }) => query));
  const judged = asked.map(({ entry: { id, name }, query }, i) => {
    const [was, is] = [before[i] ?? [], after[i] ?? []];
    const [wasOffered, isOffered] = [was.slice(0, OFFERED), is.slice(0, OFFERED)];
    const overtaken = isAhead(was, name, skill.name) && isAhead(is, skill.name, name);
    const pushed = placeOf(wasOffered, name) !== undefined && placeOf(isOffered, name) === undefined;
    const message: WorseMessage = { skill: id, query, before: placeOf(was, name), after: placeOf(is, name) };
    return { message, isWorse: overtaken || pushed, isChanged: isOfferedAnew(wasOffered, isOffered, skill.name) };
  });
  return {
    worse: judged.flatMap(({ message, isWorse }) => (isWorse ? [message] : [])),
    changed: judged.flatMap(({ message, isWorse, isChanged }) => (isChanged && !isWorse ? [message] : [])),
    others: others.map(({ id }) => id),
  };
}

/** Those that should load it; none where it has no trigger suite that can be read. */
function messagesFor({ host: { tree } }: RuntimeParts, { folder, name }: SkillEntry): readonly string[] {
  try {
    return findSuites({ tree, folder, name, evals: undefined, suite: 'triggers', only: undefined }).suites.triggers.filter(({ should_trigger }) => should_trigger).map(({ query }) => query);
  } catch (error) {
    if (error instanceof SkillmintError) return [];
    throw error;
  }
}

/** The ranking for each message. */
async function placesWith({ parts, guard, cwd, skill, work }: RankOthers, folder: string, others: readonly SkillEntry[], queries: readonly string[]): Promise<readonly (readonly Place[])[]> {
  const empty = path.join(work, 'empty');
  await fs.mkdir(empty, { recursive: true, mode: 0o700 });
  const arm = await openArm(parts, guard, { skills: { skill: { name: skill.name, what: folder, folder, digest: '', trusted: false }, crowd: others }, cwd, empty });
  try {
    const { parts: own } = arm.turns;
    const { view } = await own.skillViews.open(empty, await own.settings(empty));
    const ranked: (readonly Place[])[] = [];
    for (const query of queries) ranked.push((await view.rank(query, PLACES)).map(({ entry: { name, description } }) => ({ name, description })));
    return ranked;
  } finally {
    await arm.close();
  }
}

/** True where a turn offers the edited skill for a message, with other words, beside others, or further up than before. */
function isOfferedAnew(was: readonly Place[], is: readonly Place[], edited: string): boolean {
  const at = placeOf(is, edited);
  if (at === undefined) return false;
  const sorted = (places: readonly Place[]): string => JSON.stringify([...places].sort((a, b) => (a.name < b.name ? -1 : 1)));
  return sorted(was) !== sorted(is) || at < (placeOf(was, edited) ?? Number.POSITIVE_INFINITY);
}

function isAhead(ranking: readonly Place[], first: string, second: string): boolean {
  const [a, b] = [placeOf(ranking, first), placeOf(ranking, second)];
  return a !== undefined && (b === undefined || a < b);
}

function placeOf(ranking: readonly Place[], wanted: string): number | undefined {
  const at = ranking.findIndex(({ name }) => name === wanted);
  return at < 0 ? undefined : at + 1;
}
