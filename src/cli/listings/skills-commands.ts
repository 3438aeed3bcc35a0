import { SkillmintError } from '../../protocol/errors.ts';
import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { TrustVerdict } from '../../skills/trust/trust-store.ts';
import { withSkillView } from './skills-here.ts';
import { cutStart } from '../../util/cut-text.ts';
import { forReader, oneLine, palette, printJson, printable, write } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

/** `skillmint skills search`. */
export async function searchSkills(query: string, flags: Json & { readonly k: number; readonly model?: string }): Promise<void> {
  if (flags.model !== undefined) throw new SkillmintError('usage', '--model goes with --agent: without that no model is asked. Leave it out, or say --agent.');
  const ranked = await withSkillView((view) => view.rank(query, flags.k));
  const hits = ranked.filter(({ score }) => score > 0).map(({ entry, score }) => ({ id: entry.id, name: entry.name, description: entry.description, score }));
  if (flags.json) return printJson(hits);
  const paint = palette(process.stdout);
  for (const hit of hits) await write(process.stdout, `${hit.score.toFixed(2).padStart(6)}  ${paint.bold(oneLine(hit.id))}  ${cutStart(oneLine(hit.description), 100)}\n`);
  if (hits.length === 0) await write(process.stderr, `No skill fits "${oneLine(query)}".\n`);
}

/** `skillmint skills show`. */
export async function showSkill(name: string, flags: Json & { readonly file?: string }): Promise<void> {
  const [{ entryNamed }, { listSkillFiles, readSkillFile }, { readBody }, { digestSkill }, { openTrust }] = await Promise.all([import('../../runtime/library/named-skill.ts'), import('../../skills/files.ts'), import('../../skills/discover/read-entry.ts'), import('../../skills/digest.ts'), import('../../skills/trust/trust-store.ts')]);
  const { found, tree, data } = await withSkillView(async (view, parts) => ({ found: await view.resolve(name), tree: parts.tree, data: parts.dataFolder }));
  const entry = entryNamed(name, found);
  if (flags.file !== undefined) return write(process.stdout, forReader(process.stdout, Buffer.from(readSkillFile(tree, entry.folder, flags.file)).toString()));
  const { digest } = digestSkill(tree, entry.folder);
  const trust = openTrust({ tree, dataFolder: data }).of(entry, digest, [process.cwd()]);
  const { files } = listSkillFiles(tree, entry.folder);
  const body = entry.status === 'rejected' ? '' : await readBody(tree, entry);
  const { id, description, source, status, reason, enabled, diagnostics, frontmatter } = entry;
  if (flags.json) return printJson({ id, name: entry.name, description, source, path: entry.path, status, ...(reason === undefined ? {} : { reason }), enabled, digest, trust, frontmatter, diagnostics, files, body });
  await write(process.stdout, skillText(entry, { body, trust, files: files.map((file) => `${file.path} (${file.kind}, ${file.size} bytes)`) }));
}

function skillText(entry: SkillEntry, { body, trust, files }: { readonly body: string; readonly trust: TrustVerdict; readonly files: readonly string[] }): string {
  const paint = palette(process.stdout);
  const { displayName, requiredTools, whenToUse, argumentHint, license, compatibility, version } = entry.frontmatter;
  const about: readonly (readonly [string, string | undefined])[] = [['when to use', whenToUse], ['arguments', argumentHint], ['needs', requiredTools?.join(', ')], ['compatibility', compatibility], ['license', license], ['version', version]];
  const lines = [
    `${paint.bold(oneLine(entry.id))}${displayName === undefined ? '' : ` (${oneLine(displayName)})`}  ${entry.status}${entry.reason === undefined ? '' : `: ${oneLine(entry.reason)}`}`,
    oneLine(entry.description),
    ...about.flatMap(([what, text]) => (text === undefined ? [] : [`${what}: ${oneLine(text)}`])),
    paint.dim(oneLine(entry.path)),
    `${trust.trusted ? 'trusted' : 'not trusted'}: ${trust.why}`,
    ...entry.diagnostics.map((finding) => `${finding.severity}: ${oneLine(finding.message)} (${finding.code})`),
    '', ...files.map((file) => paint.dim(oneLine(file))), '', printable(body),
  ];
  return `${lines.join('\n')}\n`;
}
