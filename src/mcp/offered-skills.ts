import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { messageOf, SkillmintError } from '../protocol/errors.ts';
import { bareSkills, readBareFile, type BareSkill } from './bare-skills.ts';
import type { SupervisedServer } from './supervised-server.ts';

/** Bounds of what one server offers; the library of skills has bounds of its own for what is taken over. */
const MOST_SKILLS = 200;
const MOST_FILES = 2_000;
const MOST_BYTES = 50 * 1024 * 1024;

/** A skill that a server offers, every file read, and checked against the digest that the server's list has of it where it has one. */
export interface OfferedSkill {
  readonly name: string;
  /** Path below the skill's folder, as the server writes it: to be checked before a file is made of it. */
  readonly files: readonly { readonly path: string; readonly digest: string; readonly bytes: Uint8Array }[];
}

/** A skill of a server that has not been read yet. */
interface ListedSkill {
  readonly name: string;
  readonly read: (budget: Budget) => Promise<OfferedSkill['files']>;
}

/** What may still be read. */
interface Budget {
  files: number;
  bytes: number;
}

/**
 * Reads the skills that a server offers, or the one of that name: by the skills extension of the protocol, else the resources
 * `skill://…` that it lists. Rejects with `not_found` where there are none or not that one, with `install_refused` for what
 * does not fit its digest or goes beyond the bounds, and with `network_failed`.
 */
export async function offeredSkills(server: SupervisedServer, { skill: wanted, signal }: { readonly skill: string | undefined; readonly signal: AbortSignal }): Promise<readonly OfferedSkill[]> {
  const found = await listSkills(server, signal);
  if (found.length === 0) throw new SkillmintError('not_found', `The MCP server ${server.shortName} offers no skills.`);
  const chosen = wanted === undefined ? found : found.filter(({ name }) => name === wanted);
  if (chosen.length === 0) throw new SkillmintError('not_found', `The MCP server ${server.shortName} offers no skill ${wanted ?? ''}; it offers ${found.map(({ name }) => name).join(', ')}.`);
  if (chosen.length > MOST_SKILLS) throw refusal(server, `offers more than ${MOST_SKILLS} skills; name one: mcp:${server.shortName}#SKILL`);
  const names = chosen.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw refusal(server, `offers the skill ${twice} more than once`);
  const budget = { files: MOST_FILES, bytes: MOST_BYTES };
  const read: OfferedSkill[] = [];
  for (const skill of chosen) read.push({ name: skill.name, files: await skill.read(budget) });
  return read;
}

async function listSkills(server: SupervisedServer, signal: AbortSignal): Promise<readonly ListedSkill[]> {
  const found = await server.ask(async (client, options) => {
    const skills = new SkillsClient(client);
    return skills.supported ? (await skills.list(undefined, options)).skills : undefined;
  }, signal);
  if (found) return found.map((skill) => ({ name: skill.frontmatter.name, read: (budget) => filesOf(server, skill, { budget, signal }) }));
  return (await bareSkills(server, signal)).map((skill) => ({ name: skill.name, read: (budget) => bareFilesOf(server, skill, { budget, signal }) }));
}

async function bareFilesOf(server: SupervisedServer, { root, files }: BareSkill, { budget, signal }: { readonly budget: Budget; readonly signal: AbortSignal }): Promise<OfferedSkill['files']> {
  const read: OfferedSkill['files'][number][] = [];
  for (const uri of files) {
    spend(server, budget, { files: 1 });
    const file = await readBareFile(server, uri, signal);
    spend(server, budget, { bytes: file.bytes.length });
    read.push({ path: pathOf(server, uri.slice(root.length)), ...file });
  }
  return read;
}

function spend(server: SupervisedServer, budget: Budget, { files = 0, bytes = 0 }: Partial<Budget>): void {
  budget.files -= files;
  budget.bytes -= bytes;
  if (budget.files < 0 || budget.bytes < 0) throw refusal(server, `offers more than ${MOST_FILES} files or ${MOST_BYTES / 1024 / 1024} MiB`);
}

type Offered = Parameters<SkillsClient['read']>[0];

async function filesOf(server: SupervisedServer, skill: Offered, { budget, signal }: { readonly budget: Budget; readonly signal: AbortSignal }): Promise<OfferedSkill['files']> {
  const { name } = skill.frontmatter;
  // Nothing says what such a skill is, so nothing of it can be trusted later.
  if (skill.resources === 'dynamic') throw refusal(server, `offers the skill ${name} without a list of its files`);
  const root = skill.uri.replace(/[^/]*$/, '');
  const files: { readonly path: string; readonly digest: string; readonly bytes: Uint8Array }[] = [];
  for (const { uri, digest, size } of skill.resources) {
    spend(server, budget, { files: 1, bytes: size });
    if (!uri.startsWith(root)) throw refusal(server, `offers the file ${uri.slice(0, 200)} outside of the skill ${name}`);
    files.push({ path: pathOf(server, uri.slice(root.length)), digest, bytes: await bytesOf(server, skill, { uri, signal }) });
  }
  return files;
}

async function bytesOf(server: SupervisedServer, skill: Offered, { uri, signal }: { readonly uri: string; readonly signal: AbortSignal }): Promise<Uint8Array> {
  const failure: { why?: string } = {};
  const file = await server.ask(async (client, options) => {
    try {
      return await new SkillsClient(client).read(skill, uri, options);
    } catch (error) {
      if (!(error instanceof Error) || !('reason' in error)) throw error;
      failure.why = messageOf(error);
      return undefined;
    }
  }, signal);
  if (!file) throw refusal(server, `gives a file that is not the one in its list: ${failure.why ?? uri}`);
  return file.bytes;
}

function pathOf(server: SupervisedServer, written: string): string {
  try {
    return decodeURIComponent(written);
  } catch (error) {
    throw refusal(server, `offers a file whose address cannot be read: ${written.slice(0, 200)}`, error);
  }
}

function refusal({ shortName }: SupervisedServer, why: string, cause?: unknown): SkillmintError {
  return new SkillmintError('install_refused', `The MCP server ${shortName} ${why}. Nothing was installed.`, { cause });
}
