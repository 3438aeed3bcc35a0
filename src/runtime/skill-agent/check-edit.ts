import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { ReadTree } from '../../host/host.ts';
import { readDocument } from '../../skills/discover/read-entry.ts';
import { editSize, type EditSize } from '../../skills/library/edit-size.ts';
import { examineSkill } from '../../skills/trust/trust-report.ts';
import { checkDraft } from './check-draft.ts';

/** Bounds of one edit: lines that are new or gone, their characters, and files. */
const MOST = { lines: 40, chars: 4_000, files: 2 };

/** Which edit is checked. */
export interface EditClaim {
  /** Folder of the skill before, absolute. */
  readonly before: string;
  /** Folder that holds the edited skill's folder, absolute. */
  readonly draft: string;
  readonly name: string;
  readonly part: 'all' | 'description';
}

/** Holds an edit to its bounds, and to what `create` asks of a skill: how large it is, or what is wrong, in words for the agent. */
export async function checkEdit(tree: ReadTree, { before, draft, name, part }: EditClaim): Promise<EditSize | { readonly problem: string }> {
  const checked = await checkDraft(tree, { draft, name, wanted: name });
  if ('problem' in checked) return checked;
  const size = await editSize(tree, before, checked.folder);
  const problems = [
    ...(size.files.length === 0 ? ['nothing is changed'] : []),
    ...(size.files.length > MOST.files ? [`${size.files.length} files are changed, and ${MOST.files} may be`] : []),
    ...(size.lines > MOST.lines ? [`${Number.isFinite(size.lines) ? `${size.lines} lines are new or gone` : 'a file is another one altogether'}, and ${MOST.lines} lines may be`] : []),
    ...(size.chars > MOST.chars ? [`${size.chars} characters are new or gone, and ${MOST.chars} may be`] : []),
    ...(await rightsGained(tree, before, checked.folder)),
    ...(part === 'description' && !(await isDescriptionAlone(tree, size, { before, after: checked.folder })) ? ['only the description may change'] : []),
  ];
  return problems.length === 0 ? size : { problem: `The edit cannot be used:\n${problems.map((problem) => `- ${problem}`).join('\n')}\nMend it and answer again.` };
}

/** An edit gives a skill no rights that it did not have. */
async function rightsGained(tree: ReadTree, before: string, after: string): Promise<readonly string[]> {
  const [old, now] = [await examineSkill(tree, placeOf(before)), await examineSkill(tree, placeOf(after))];
  const fresh = (had: readonly string[], has: readonly string[], what: string): readonly string[] => has.filter((one) => !had.includes(one)).map((one) => `${what} ${JSON.stringify(one.slice(0, 200))} is new`);
  return [
    ...fresh(old.grants, now.grants, 'in allowed-tools'),
    // Without the field a bound session may do everything.
    ...(old.grants.length > 0 && now.grants.length === 0 ? ['allowed-tools is gone'] : []),
    ...fresh(old.hooks, now.hooks, 'the hook'),
    ...fresh(old.commands, now.commands, 'the command'),
    ...fresh(old.overrides, now.overrides, 'the field'),
    ...fresh(old.runs.map((file) => file.path), now.runs.map((file) => file.path), 'the file that can run'),
  ];
}

async function isDescriptionAlone(tree: ReadTree, { files }: EditSize, { before, after }: { readonly before: string; readonly after: string }): Promise<boolean> {
  if (files.some((file) => file !== 'SKILL.md')) return false;
  const [old, now] = [await readDocument(tree, placeOf(before)), await readDocument(tree, placeOf(after))];
  return old.body === now.body && isDeepStrictEqual({ ...old.frontmatter, description: '' }, { ...now.frontmatter, description: '' });
}

function placeOf(folder: string): { readonly folder: string; readonly file: string } {
  return { folder, file: path.join(folder, 'SKILL.md') };
}
