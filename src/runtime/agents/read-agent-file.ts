import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { isObject } from '../../protocol/json.ts';
import type { SkillVerdict } from '../../protocol/events.ts';
import { parseMode } from '../../permissions/mode.ts';
import { parseRule } from '../../permissions/rule.ts';
import { decodeText } from '../../skills/read/decode-text.ts';
import { asBoolean, asCount, asText, asWords } from '../../skills/read/field-values.ts';
import { foldKey } from '../../skills/read/key-line.ts';
import { loadYamlReader } from '../../skills/read/load-yaml.ts';
import { readSkillMd, type SkillDocument } from '../../skills/read/read-skill-md.ts';
import { plainLine } from '../../skills/activate/plain-line.ts';
import { parseToolSpecifiers } from '../../skills/activate/tool-grant.ts';
import { splitToolList } from '../../skills/read/tool-list.ts';
import { whyUnreadable } from '../../skills/unreadable.ts';
import type { AgentProblem, AgentProfile } from './agent-profile.ts';

/** Largest agent file, bytes. */
const MOST_BYTES = 256 * 1024;
/** Longest name of an agent. */
const NAME_CHARS = 60;
/** Fields that take rights away. */
const LIMITS = ['tools', 'allowed-tools', 'disallowed-tools', 'permissionMode', 'skill_permissions', 'permission'];
/** Fields of agent files of other programs that change what an agent is or runs, and are not used here. */
const NOT_USED = ['hooks', 'effort', 'mcpServers', 'memory'];

/** An agent file, and whether it may cost money: a file of an untrusted folder only shapes a prompt. */
export interface AgentFile {
  readonly path: string;
  readonly source: 'project' | 'user' | 'plugin';
  readonly trusted: boolean;
  /** Stands before the name. */
  readonly prefix?: string;
}

/** Reads an agent file in the form of Claude Code, tolerantly. One that cannot be used is a problem that says why. */
export async function readAgentFile(tree: Pick<ReadTree, 'read' | 'stat'>, file: AgentFile): Promise<AgentProfile | AgentProblem> {
  const stem = path.basename(file.path, '.md');
  const problem = (reason: string, name = stem): AgentProblem => ({ name, path: file.path, reason });
  let document: SkillDocument;
  let bytes: Uint8Array;
  try {
    const { kind, size } = tree.stat(file.path);
    if (kind !== 'file') return problem('it is no regular file');
    if (size > MOST_BYTES) return problem(`it has ${size} bytes; an agent file may have ${MOST_BYTES}`);
    bytes = tree.read(file.path);
    document = readSkillMd(bytes, { folderName: stem }) ?? readSkillMd(bytes, { folderName: stem, yaml: await loadYamlReader() });
  } catch (error) {
    return problem(`it cannot be read: ${whyUnreadable(error)}`);
  }
  const { frontmatter, name } = document;
  if (document.status === 'rejected') return problem(document.reason ?? 'it cannot be read');
  if (frontmatter.description === undefined) return problem(['it has no description: write description: in its frontmatter', ...(document.reason === undefined ? [] : [document.reason])].join('; '), name);
  const lost = lostLimits(decodeText(bytes).text, frontmatter);
  if (lost.length > 0) return problem(`${lost.join(' and ')} cannot be understood, and without that it might do more than is meant`, name);
  const profile = profileOf(document, frontmatter.description, file);
  const wrong = wrongEntry(profile);
  return wrong === undefined ? profile : problem(wrong, name);
}

/** A denial that is not understood would deny nothing. */
function wrongEntry({ tools = [], disallowedTools = [] }: AgentProfile): string | undefined {
  const name = tools.find((entry) => !/^[A-Za-z][\w.*/-]*(?:\([^]*\))?$/.test(entry));
  if (name !== undefined) return `"${name}" in tools is no tool: write names, for example Read, Grep, Bash(git log:*)`;
  const denied = disallowedTools.map((entry) => parseRule(entry, { purpose: 'restrict' })).find((answer) => 'problem' in answer);
  return denied && 'problem' in denied ? `disallowedTools: ${denied.problem.problem}` : undefined;
}

function profileOf({ name: written, body, frontmatter }: SkillDocument, description: string, file: AgentFile): AgentProfile {
  const name = plainLine(`${file.prefix ?? ''}${written}`, NAME_CHARS);
  const field = fieldReader(frontmatter.other);
  const tools = toolsOf(field('tools')) ?? frontmatter.allowedTools;
  const disallowed = [...(frontmatter.disallowedTools ?? []), ...switchedOff(field('tools'))].map(canonicalEntry);
  const wantedMode = asText(field('permissionMode'));
  const mode = parseMode(wantedMode ?? '');
  const maxSteps = frontmatter.maxIterations ?? asCount(field('maxTurns')) ?? asCount(field('steps'));
  const skills = asWords(field('skills'));
  const isolation = asText(field('isolation'));
  const permissions = permissionsOf(field('skillPermissions') ?? skillPart(field('permission')) ?? skillPart(field('permissions')));
  const model = file.trusted ? frontmatter.model : undefined;
  const withheld = frontmatter.model === undefined || frontmatter.model === 'inherit' || file.trusted ? [] : [`the model ${frontmatter.model} (its folder is not trusted)`];
  const notUsed = [...NOT_USED.filter((key) => (key === 'hooks' || key === 'effort' ? frontmatter[key] : field(key)) !== undefined), ...withheld, ...(isolation === undefined || isolation === 'worktree' ? [] : [`the isolation ${isolation}`]), ...(wantedMode === undefined || mode ? [] : [`the permission mode ${wantedMode}`])];
  return {
    name, description,
    source: file.source,
    path: file.path,
    ...(body === '' ? {} : { instructions: body }),
    ...(tools ? { tools } : {}),
    ...(disallowed.length > 0 ? { disallowedTools: disallowed } : {}),
    ...(mode === 'plan' || asBoolean(field('readonly')) === true ? { readOnly: true as const } : {}),
    ...(frontmatter.background === true ? { background: true as const } : {}),
    ...(isolation === 'worktree' ? { isolated: true as const } : {}),
    ...(mode === undefined || mode === 'plan' || mode === 'unrestricted' ? {} : { mode }),
    ...(maxSteps === undefined ? {} : { maxSteps }),
    ...(model === undefined ? {} : { model }),
    ...(skills ? { skills } : {}),
    ...(permissions ? { skillPermissions: permissions } : {}),
    ...(notUsed.length > 0 ? { notices: [`Of the agent ${name} (${file.path}) this does not count: ${notUsed.join(', ')}.`] } : {}),
  };
}

/** Fields that take rights away, stand in the text, and could not be read: repaired text may have lost them. */
function lostLimits(text: string, { other, allowedTools, disallowedTools }: SkillDocument['frontmatter']): readonly string[] {
  const field = fieldReader(other);
  const [, head = ''] = /^---[^\n]*\n([^]*?)\n---/.exec(text) ?? [];
  const written = new Set([...head.matchAll(/^["']?([A-Za-z_-]+)["']?[ \t]*:[ \t]*(?:\S|\n[ \t]+\S)/gm)].map(([, key = '']) => foldKey(key)));
  const isRead: Readonly<Record<string, boolean>> = {
    tools: isObject(field('tools')) || splitToolList(field('tools')) !== undefined,
    'allowed-tools': allowedTools !== undefined,
    'disallowed-tools': disallowedTools !== undefined,
    permissionMode: asText(field('permissionMode')) !== undefined,
    skill_permissions: permissionsOf(field('skillPermissions')) !== undefined,
    permission: isObject(field('permission')) || typeof field('permission') === 'string',
  };
  return LIMITS.filter((name) => written.has(foldKey(name)) && isRead[name] !== true);
}

/** Reads fields however their names are written: `maxTurns`, `max_turns`. */
function fieldReader(other: Readonly<Record<string, unknown>>): (name: string) => unknown {
  const byFolded = new Map(Object.entries(other).map(([key, value]) => [foldKey(key), value]));
  return (name) => byFolded.get(foldKey(name));
}

/** A list of names, or a map of names that are switched on or off; undefined where all are meant. */
function toolsOf(value: unknown): readonly string[] | undefined {
  if (isObject(value)) {
    const on = Object.entries(value).filter(([, wanted]) => asBoolean(wanted) !== false).map(([name]) => name);
    return value['*'] === false ? on : undefined;
  }
  const list = splitToolList(value);
  return list?.some((entry) => entry === '*' || entry.toLowerCase() === 'all') ? undefined : list;
}

/** The entry with the tool's name here: a rule counts letter case. */
function canonicalEntry(entry: string): string {
  return parseToolSpecifiers([entry], { folder: '' }).map(({ tool, spec }) => (spec === undefined ? tool : `${tool}(${spec})`)).join('');
}

function switchedOff(value: unknown): readonly string[] {
  return isObject(value) ? Object.entries(value).filter(([name, wanted]) => name !== '*' && asBoolean(wanted) === false).map(([name]) => name) : [];
}

function skillPart(value: unknown): unknown {
  return isObject(value) ? value['skill'] : undefined;
}

/** What is no verdict forbids: a misspelt word must not let more pass than was meant. */
function permissionsOf(value: unknown): Readonly<Record<string, SkillVerdict>> | undefined {
  const written: unknown = typeof value === 'string' ? { '*': value } : value;
  if (!isObject(written)) return undefined;
  const verdict = (word: unknown): SkillVerdict => (word === 'allow' || word === 'ask' ? word : 'deny');
  return Object.fromEntries(Object.entries(written).map(([pattern, word]) => [pattern.trim(), verdict(word)]));
}
