import path from 'node:path';
import { localTree } from '../../host/local-tree.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import { EXIT } from '../exit-codes.ts';
import { withSkillView } from './skills-here.ts';
import { cutStart } from '../../util/cut-text.ts';
import { forReader, oneLine, palette, printJson, printable, write } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

/** `skillmint skills search`. */
export async function searchSkills(query: string, flags: Json & { readonly k: number }): Promise<void> {
  const ranked = await withSkillView((view) => view.rank(query, flags.k));
  const hits = ranked.filter(({ score }) => score > 0).map(({ entry, score }) => ({ id: entry.id, name: entry.name, description: entry.description, score }));
  if (flags.json) return printJson(hits);
  const paint = palette(process.stdout);
  for (const hit of hits) await write(process.stdout, `${hit.score.toFixed(2).padStart(6)}  ${paint.bold(oneLine(hit.id))}  ${cutStart(oneLine(hit.description), 100)}\n`);
  if (hits.length === 0) await write(process.stderr, `No skill fits "${oneLine(query)}".\n`);
}

/** `skillmint skills show`. */
export async function showSkill(name: string, flags: Json & { readonly file?: string }): Promise<void> {
  const [{ listSkillFiles }, { readBody }, { digestSkill }] = await Promise.all([import('../../skills/files.ts'), import('../../skills/discover/read-entry.ts'), import('../../skills/digest.ts')]);
  const { found, tree } = await withSkillView(async (view, parts) => ({ found: await view.resolve(name), tree: parts.tree }));
  const entry = found.kind === 'found' || found.kind === 'unusable' ? found.entry : undefined;
  if (!entry) {
    const near = found.kind === 'missing' ? found.suggestions : found.kind === 'ambiguous' ? found.candidates : [];
    throw new SkillmintError('skill_not_found', `There is no skill "${name}".${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''} See: skillmint skills list`);
  }
  if (flags.file !== undefined) {
    const { readSkillFile } = await import('../../skills/files.ts');
    return write(process.stdout, forReader(process.stdout, Buffer.from(readSkillFile(tree, entry.folder, flags.file)).toString()));
  }
  const { files } = listSkillFiles(tree, entry.folder);
  const body = entry.status === 'rejected' ? '' : await readBody(tree, entry);
  const { id, description, source, status, reason, enabled, diagnostics, frontmatter } = entry;
  if (flags.json) return printJson({ id, name: entry.name, description, source, path: entry.path, status, ...(reason === undefined ? {} : { reason }), enabled, digest: digestSkill(tree, entry.folder).digest, frontmatter, diagnostics, files, body });
  await write(process.stdout, skillText(entry, { body, files: files.map((file) => `${file.path} (${file.kind}, ${file.size} bytes)`) }));
}

function skillText(entry: SkillEntry, { body, files }: { readonly body: string; readonly files: readonly string[] }): string {
  const paint = palette(process.stdout);
  const lines = [
    `${paint.bold(oneLine(entry.id))}  ${entry.status}${entry.reason === undefined ? '' : `: ${oneLine(entry.reason)}`}`,
    oneLine(entry.description),
    paint.dim(oneLine(entry.path)),
    ...entry.diagnostics.map((finding) => `${finding.severity}: ${oneLine(finding.message)} (${finding.code})`),
    '', ...files.map((file) => paint.dim(oneLine(file))), '', printable(body),
  ];
  return `${lines.join('\n')}\n`;
}

/** `skillmint skills validate`. */
export async function validateSkillFolder(folder: string, flags: Json): Promise<void> {
  const { validateSkill } = await import('../../skills/validate.ts');
  const result = await validateSkill(localTree(), path.resolve(folder));
  if (flags.json) await printJson(result);
  else await write(process.stdout, [...result.diagnostics.map((finding) => `${finding.severity}: ${oneLine(finding.message)} (${finding.code})${finding.fix === undefined ? '' : `\n  fix: ${oneLine(finding.fix)}`}`), result.ok ? 'ok' : 'not valid'].join('\n').concat('\n'));
  if (!result.ok) process.exitCode = EXIT.refused;
}
