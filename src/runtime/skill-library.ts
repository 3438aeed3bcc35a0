import path from 'node:path';
import type { Host } from '../host/host.ts';
import { SkillmintError } from '../protocol/errors.ts';
import type { EventBody } from '../protocol/events.ts';
import type { SessionState } from '../protocol/session-state.ts';
import type { SkillTrigger } from '../protocol/skill.ts';
import { failed, ok, type ToolOutcome } from '../protocol/tool.ts';
import { MAX_OFFERED, offerNote } from '../skills/activate/rank-skills.ts';
import { skillToolText } from '../skills/activate/skill-text.ts';
import { readBody, readDocument } from '../skills/discover/read-entry.ts';
import type { SkillEntry } from '../skills/discover/skill-entry.ts';
import { digestSkill } from '../skills/digest.ts';
import { listSkillFiles } from '../skills/files.ts';
import type { SkillView } from '../skills/skill-view.ts';
import type { RuntimeParts } from './parts.ts';
import { hookWarnings, hooksOf } from './skill-hooks.ts';

/** The event that offers skills for a message: those that fit it best and were not offered before. */
export async function offerEvent(skills: SkillView, text: string, state: SessionState): Promise<EventBody | undefined> {
  const fresh = (await skills.rank(text, MAX_OFFERED)).filter(({ entry }) => !state.offered.has(entry.id) && !state.skills.has(entry.id));
  if (fresh.length === 0) return undefined;
  return { type: 'skill.offered', skills: fresh.map(({ entry, score }) => ({ id: entry.id, score })), note: `\n\n${offerNote(fresh)}` };
}

/** Loads a skill's instructions as the `Skill` tool gives them, and makes it active. */
export async function loadSkill(skills: SkillView | undefined, parts: Pick<RuntimeParts, 'host' | 'trustsSkill'>, name: string, args: string | undefined): Promise<ToolOutcome> {
  const found = skills ? await skills.resolve(name) : ({ kind: 'missing', suggestions: [] } as const);
  switch (found.kind) {
    case 'found': {
      if (found.entry.frontmatter.disableModelInvocation === true) return failed(`The skill ${found.entry.name} may only be called by the person.`);
      const { activation, warnings } = await activate(parts, found.entry, 'model');
      const request = args === undefined || args === '' ? '' : `\n\nARGUMENTS: ${args}`;
      return ok(`${activation.body}${request}`, { details: { skill_id: found.entry.id }, events: [activation, ...warnings] });
    }
    case 'unusable': return failed(`The skill ${name} cannot be used: ${found.reason}.`);
    case 'ambiguous': return failed(`"${name}" could be ${found.candidates.join(' or ')}. Call Skill with one of these.`);
    case 'missing': return failed(found.suggestions.length > 0 ? `There is no skill "${name}". Did you mean ${found.suggestions.join(' or ')}?` : `There is no skill "${name}".`);
  }
}

/** The skill that a person names for a session to be bound to: an id, a name or a folder. */
export async function bindableSkill(skills: SkillView, host: Host, cwd: string, name: string): Promise<SkillEntry> {
  const found = await skills.resolve(name);
  if (found.kind === 'found') return found.entry;
  if (/[/\\]|^\.+$/.test(name)) return skillOfFolder(host, path.resolve(cwd, name));
  switch (found.kind) {
    case 'unusable': throw new SkillmintError('skill_not_found', `The skill ${name} cannot be used: ${found.reason} (${found.entry.path}).`);
    case 'ambiguous': throw new SkillmintError('skill_ambiguous', `"${name}" could be ${found.candidates.join(' or ')}. Name one of these.`);
    case 'missing': throw new SkillmintError('skill_not_found', `There is no skill "${name}".${found.suggestions.length > 0 ? ` Did you mean ${found.suggestions.join(' or ')}?` : ''} See: skillmint skills list`);
  }
}

/** What makes a skill active. */
export interface Activation {
  /** With the text that the model gets of it. */
  readonly activation: Extract<EventBody, { type: 'skill.activated' }>;
  /** What of it does not count. */
  readonly warnings: readonly EventBody[];
}

/** The events that make a skill active. Only a trusted one brings its hooks. */
export async function activate({ host, trustsSkill }: Pick<RuntimeParts, 'host' | 'trustsSkill'>, entry: SkillEntry, trigger: SkillTrigger): Promise<Activation> {
  const body = skillToolText(entry, await readBody(host.tree, entry), listSkillFiles(host.tree, entry.folder));
  const { digest } = digestSkill(host.tree, entry.folder);
  const trusted = trustsSkill(entry, digest);
  const hooks = await hooksOf(entry, { trusted });
  return {
    activation: { type: 'skill.activated', skill_id: entry.id, trigger, digest, path: entry.path, folder: host.tree.realPath(entry.folder), body, ...(hooks ? { hooks } : {}) },
    warnings: await hookWarnings(entry, { trusted }),
  };
}

async function skillOfFolder(host: Host, given: string): Promise<SkillEntry> {
  const folder = /skill\.md$/i.test(given) ? path.dirname(given) : given;
  const missing = (): SkillmintError => new SkillmintError('skill_not_found', `There is no SKILL.md in ${folder}. Give a skill's name or its folder.`);
  let names: readonly string[];
  try {
    names = host.tree.list(folder).map((entry) => entry.name);
  } catch (error) {
    throw new SkillmintError('skill_not_found', missing().message, { cause: error });
  }
  const file = names.find((name) => name.toLowerCase() === 'skill.md');
  if (file === undefined) throw missing();
  const document = await readDocument(host.tree, { file: path.join(folder, file), folder });
  if (document.status === 'rejected') throw new SkillmintError('skill_not_found', `The skill in ${folder} cannot be used: ${document.reason ?? 'it cannot be read'}.`);
  const { name, description, status, reason, frontmatter, diagnostics } = document;
  return { id: `path:${name}`, name, description, source: 'path', path: path.join(folder, file), status, reason, enabled: true, folder, handle: name, frontmatter, diagnostics };
}
