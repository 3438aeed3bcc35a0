import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';
import type { Host } from '../../host/host.ts';
import type { ServerDefinition } from '../../mcp/definition.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { checkEntryPath } from '../../skills/library/entry-path.ts';
import type { FetchedSource } from '../../skills/library/fetched-source.ts';
import { isSkillName } from '../../skills/library/skill-name.ts';
import { sourceText, type SourceOf } from '../../skills/library/skill-source.ts';
import { loginFile } from './login-file.ts';

/** What fetching from a server takes. */
export interface OfferedSkillsParts {
  /** An empty folder. */
  readonly temporary: string;
  readonly signal: AbortSignal;
  readonly shortName: string;
  readonly definition: ServerDefinition;
  readonly host: Host;
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly dataFolder: string;
}

/**
 * Reads the skills that an MCP server offers into the folder, one folder each. What was locked has to be the same then: the
 * integrity is over names, paths and digests of all files. Rejects as `offeredSkills` does, and with `install_refused` for
 * names and paths that are none.
 */
export async function fetchOfferedSkills(source: SourceOf<'mcp'>, parts: OfferedSkillsParts): Promise<FetchedSource> {
  const { temporary, signal, host, allow, shortName, definition, dataFolder } = parts;
  const { superviseServer } = await import('../../mcp/supervisor.ts');
  const { startLimit } = await import('../../mcp/start-limits.ts');
  const { offeredSkills } = await import('../../mcp/offered-skills.ts');
  const server = superviseServer({ host, clock: host.clock, allow, shortName, definition, logins: loginFile({ tree: host.tree, files: host.files, dataFolder }) });
  try {
    server.begin();
    await server.settled(startLimit(definition), { signal });
    const skills = await offeredSkills(server, { skill: source.skill, signal });
    const integrity = `sha256-${createHash('sha256').update(JSON.stringify(skills.map(({ name, files }) => [name, files.map((file) => [file.path, file.digest]).toSorted(byPath)]).toSorted(byPath))).digest('base64')}`;
    if (source.integrity !== undefined && source.integrity !== integrity) throw new SkillmintError('install_refused', `${sourceText(source)} offers something else now: ${integrity} instead of ${source.integrity}. If you trust it, install it anew.`);
    for (const { name, files } of skills) {
      if (!isSkillName(name)) throw new SkillmintError('install_refused', `${sourceText(source)} offers a skill with the name ${JSON.stringify(name.slice(0, 100))}, which is none. Nothing was installed.`);
      for (const { path: written, bytes } of files) await put(path.join(temporary, name), written, bytes);
    }
    return { folder: temporary, provenance: { source: sourceText(source), kind: 'mcp', integrity } };
  } finally {
    await server.close();
  }
}

function byPath([a]: readonly unknown[], [b]: readonly unknown[]): number {
  return String(a) < String(b) ? -1 : 1;
}

async function put(folder: string, written: string, bytes: Uint8Array): Promise<void> {
  const { segments, leftOut } = checkEntryPath(written);
  if (leftOut || segments.length === 0) return;
  const file = path.join(folder, ...segments);
  await fs.mkdir(path.dirname(file), { recursive: true });
  // A second file of that name, in other letters perhaps, is not written over the first.
  await fs.writeFile(file, bytes, { flag: 'wx', mode: 0o644 });
}
