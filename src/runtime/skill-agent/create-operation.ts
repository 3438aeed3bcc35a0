import path from 'node:path';
import { anchorRule } from '../../permissions/rules.ts';
import type { ReadTree } from '../../host/host.ts';
import { PermissionError, SkillmintError } from '../../protocol/errors.ts';
import type { JsonObject } from '../../protocol/json.ts';
import { exists } from '../../skills/library/exists.ts';
import { installSkills } from '../../skills/library/install.ts';
import type { SkillLibrary } from '../../skills/library/library-folder.ts';
import { isSkillName } from '../../skills/library/skill-name.ts';
import { creationLibrary } from '../library/creation-library.ts';
import { verdictOf } from '../library/examined-skill.ts';
import { newFilesPatch, type Approve } from '../library/proposed-files.ts';
import { readSkillFile } from '../../skills/files.ts';
import { checkDraft, type CheckedDraft } from './check-draft.ts';
import { dropDraft, makeDraft } from './draft-folder.ts';
import { rankedSkills } from './ranked-skills.ts';
import type { Operation, OperationParts, Taken } from './operation.ts';
import type { DeclinedSkill, MadeSkill, SkillCreateRequest } from './skill-agent.ts';

type Created = MadeSkill | DeclinedSkill;

/** Writes a skill in a draft folder, checks it as `skills validate` does, and installs it. */
export const CREATE: Operation<SkillCreateRequest, Created> = {
  name: 'create a skill',
  writes: true,
  maxSteps: 40,
  maxCostUsd: 3,
  answer: {
    type: 'object',
    properties: {
      outcome: { type: 'string', enum: ['made', 'declined'], description: 'declined: there should be no new skill.' },
      name: { type: 'string', description: 'Of the skill and its folder in the draft folder; empty when declined.' },
      summary: { type: 'string', description: 'What it does, what you have assumed and what the person should look at; when declined, why. At most five sentences.' },
      existing: { type: 'string', description: 'When declined because a skill does it already: the id of that skill. Empty otherwise.' },
    },
    required: ['outcome', 'name', 'summary', 'existing'],
    additionalProperties: false,
  },
  async open(given, { request, name, scope, approve }) {
    if (request.trim() === '') throw new SkillmintError('usage', 'The request is empty. Say what the skill is for.');
    if (name !== undefined && !isSkillName(name)) throw new SkillmintError('usage', `${JSON.stringify(name)} is no name for a skill: use at most 64 lower-case letters, digits and single hyphens between them, for example monthly-report.`);
    const { parts, cwd, settings } = given;
    const library = creationLibrary(scope, { settings: settings.values, cwd, data: parts.dataFolder });
    if (name !== undefined && (await exists(path.join(library.folder, name)))) throw new SkillmintError('skill_exists', `A skill ${name} is already in ${library.folder}. Nothing was made: choose another name, or remove that one first.`);
    const draft = await makeDraft(given.drafts, parts.newId('draft'));
    return {
      task: taskText({ request, name, draft, skills: await rankedSkills(given.skills, request) }),
      allow: [anchorRule('Write(/**)', draft), anchorRule('Edit(/**)', draft)],
      take: (answer) => takeSkill(given, { answer, draft, library, name, approve }),
      leave: () => dropDraft(draft, { unlessFiles: true }),
    };
  },
};

function taskText({ request, name, draft, skills }: { readonly request: string; readonly name: string | undefined; readonly draft: string; readonly skills: string }): string {
  return [
    'Operation: create. Make the skill that this request asks for, or decline where there should be none.',
    `<request>\n${request}\n</request>`,
    `Write it into ${path.join(draft, name ?? 'NAME')}/, with SKILL.md at the top and other files only where the skill needs them.${name === undefined ? ' Its folder is called as the skill is.' : ` Its name is ${name}.`} No commands that run when it is loaded (!\`…\`).`,
    skills,
  ].join('\n\n');
}

interface Draft {
  readonly answer: JsonObject;
  readonly draft: string;
  readonly library: SkillLibrary;
  /** As the caller wants it. */
  readonly name: string | undefined;
  readonly approve: Approve | undefined;
}

async function takeSkill(given: OperationParts, { answer, draft, library, name: wanted, approve }: Draft): Promise<Taken<Created>> {
  const { parts, cwd, skills, progress } = given;
  const textOf = (key: string): string => (typeof answer[key] === 'string' ? answer[key] : '');
  const [name, summary, existing] = [textOf('name'), textOf('summary'), textOf('existing')];
  if (answer['outcome'] === 'declined') {
    const found = existing !== '' ? await skills.resolve(existing) : undefined;
    if (found && found.kind !== 'found') return { kind: 'mend', problem: `There is no skill ${JSON.stringify(existing)}. Name it by its id, or leave "existing" empty.` };
    await dropDraft(draft, { unlessFiles: false });
    return { kind: 'done', warnings: [], result: { outcome: 'declined', reason: summary, ...(found ? { existing: found.entry.id } : {}) } };
  }
  progress('checking the draft');
  const checked = await checkDraft(parts.host.tree, { draft, name, wanted });
  if ('problem' in checked) return { kind: 'mend', problem: checked.problem };
  if (await exists(path.join(library.folder, checked.name))) return { kind: 'mend', problem: `A skill ${checked.name} is installed already. Give yours another name, in its SKILL.md and as its folder.` };
  await refuseUnwanted(parts.host.tree, { checked, library, approve });
  progress(`installing ${checked.name}`);
  const { installed } = await installSkills({
    tree: parts.host.tree, library, replace: false, dryRun: false, now: parts.now, progress,
    source: { kind: 'folder', folder: checked.folder },
    fetch: async () => ({ folder: checked.folder, provenance: { kind: 'draft', source: `draft:${checked.name}` } }),
  });
  const [skill] = installed;
  if (!skill) throw new Error('a draft was installed and is no skill');
  await parts.skillViews.refresh(cwd, given.settings);
  await dropDraft(draft, { unlessFiles: false });
  const { id, folder, description, digest, warnings } = skill;
  const { trusted } = verdictOf({ tree: parts.host.tree, data: parts.dataFolder, cwd }, { id, source: library.scope, folder }, digest);
  return { kind: 'done', warnings: [...checked.warnings, ...warnings], result: { outcome: 'made', id, name: skill.name, description, folder, digest, trusted, files: checked.files, summary } };
}

async function refuseUnwanted(tree: ReadTree, { checked: { name, folder, files }, library, approve }: Pick<Draft, 'library' | 'approve'> & { readonly checked: CheckedDraft }): Promise<void> {
  const patch = newFilesPatch(approve ? files.map((file) => ({ path: `${name}/${file}`, bytes: readSkillFile(tree, folder, file) })) : []);
  if (approve && !(await approve({ what: `the skill ${name}`, folder: path.join(library.folder, name), patch }))) throw new PermissionError(`The skill ${name} was not installed, as you wish.`);
}
