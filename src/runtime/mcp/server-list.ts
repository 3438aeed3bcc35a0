import type { LoadedSettings } from '../../config/load-settings.ts';
import { readMcpFile } from '../../config/mcp-file.ts';
import { realOrSame } from '../../config/read-settings.ts';
import { childEnvironment } from '../../host/child-environment.ts';
import type { ReadTree } from '../../host/host.ts';
import { readDefinition, type ServerDefinition } from '../../mcp/definition.ts';
import { parseRule } from '../../permissions/rule.ts';
import { mcpServerName, type McpServerForm } from '../../protocol/mcp.ts';
import { isSame, readApprovals, serverDigest, type ApprovedServer } from './approvals.ts';

/** Stands for the session's folder in a definition, as in Claude Code. */
const PROJECT_FOLDER = 'CLAUDE_PROJECT_DIR';

/** Whether a server that was found may be used, and if not, why. */
export type Standing =
  | { readonly kind: 'usable'; readonly definition: ServerDefinition }
  | { readonly kind: 'unapproved'; readonly changed: boolean }
  | { readonly kind: 'disabled' | 'shadowed' | 'invalid'; readonly reason: string };

/** One server that settings or a project's file name. */
export interface ListedServer {
  /** As it is written. */
  readonly name: string;
  /** Its part of the names of its tools. */
  readonly shortName: string;
  readonly source: 'user' | 'project';
  /** The file that defines it; undefined for one that the program itself was given, by its caller or by an editor. */
  readonly file: string | undefined;
  /** Folder that a program runs in, real path. */
  readonly folder: string;
  readonly form: McpServerForm;
  readonly digest: string;
  readonly standing: Standing;
}

/** All servers of a folder, and what is wrong with the files. */
export interface ServerList {
  readonly servers: readonly ListedServer[];
  readonly problems: readonly string[];
}

/** What the servers of a folder are found with. */
export interface ServerSources {
  readonly tree: ReadTree;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly home: string;
  readonly dataFolder: string;
  readonly cwd: string;
  readonly settings: LoadedSettings;
  /** Servers that a program brings for this folder, such as an editor; they need approval like those of a project. */
  readonly offered?: OfferedServers | undefined;
}

/** Definitions by name. */
export type OfferedServers = Readonly<Record<string, McpServerForm>>;

interface Found extends Pick<ListedServer, 'name' | 'source' | 'file' | 'folder' | 'form'> {
  /** What keeps it from being read. */
  readonly problem?: string | undefined;
}

/**
 * Finds the servers that hold in a folder. The person's own count at once; one of a project (its `.mcp.json`, or the settings
 * of a trusted folder) only as it was when the person approved it. Of two with one name the person's own is used. Throws
 * `config_unreadable` or `config_invalid` for a broken list of approved servers.
 */
export async function listServers(sources: ServerSources): Promise<ServerList> {
  const { tree, settings, dataFolder } = sources;
  const cwd = realOrSame(tree, sources.cwd);
  const file = await readMcpFile(tree, cwd);
  const found: readonly Found[] = [
    ...fromSettings(sources),
    ...(file?.servers ?? []).map(({ name, form, problem }): Found => ({ name, source: 'project', file: file?.file, folder: realOrSame(tree, file?.folder ?? cwd), form: form ?? {}, problem })),
    ...Object.entries(sources.offered ?? {}).map(([name, form]): Found => ({ name, source: 'project', file: undefined, folder: cwd, form })),
  ];
  const approved = found.some(({ source }) => source === 'project') ? readApprovals(tree, dataFolder) : [];
  const taken = new Map<string, Found>();
  const servers = found.map((one): ListedServer => {
    const shortName = mcpServerName(one.name);
    const digest = serverDigest(one.name, one.form);
    const first = taken.get(shortName.toLowerCase());
    if (!first) taken.set(shortName.toLowerCase(), one);
    const standing = first ? shadowedBy(one, first) : standingOf(one, { shortName, digest, approved, allowed: allowedVariables(sources.env, settings), env: sources.env, cwd });
    return { name: one.name, shortName, source: one.source, file: one.file, folder: one.folder, form: one.form, digest, standing };
  });
  return { servers, problems: file?.problem === undefined ? [] : [file.problem] };
}

/** The strongest layer's word on each name, the person's own layers before the project's. */
function fromSettings({ tree, home, settings }: ServerSources): readonly Found[] {
  const own = new Map<string, Found>();
  const project = new Map<string, Found>();
  for (const { name: layer, file, folder, settings: { mcpServers = {} } } of settings.layers) {
    for (const [name, form] of Object.entries(mcpServers)) {
      if (layer === 'project') project.set(name, { name, source: 'project', file, folder: realOrSame(tree, folder), form });
      // What a folder holds must not decide which program a person's own words mean, as with npx.
      else own.set(name, { name, source: 'user', file, folder: realOrSame(tree, home), form });
    }
  }
  return [...own.values(), ...project.values()];
}

function shadowedBy({ name }: Found, first: Found): Standing {
  const which = first.source === 'user' ? 'your own settings have' : `${first.file ?? 'another file'} has`;
  return { kind: 'shadowed', reason: first.name === name ? `${which} a server of this name` : `${which} the server ${first.name}, whose tools would have the same names` };
}

interface Known {
  readonly shortName: string;
  readonly digest: string;
  readonly approved: readonly ApprovedServer[];
  readonly allowed: Readonly<Record<string, string>>;
  readonly env: ServerSources['env'];
  readonly cwd: string;
}

function standingOf({ name, source, folder, form, problem }: Found, { shortName, digest, approved, allowed, env, cwd }: Known): Standing {
  if (problem !== undefined) return { kind: 'invalid', reason: problem };
  if (shortName === '') return { kind: 'invalid', reason: `the name ${JSON.stringify(name)} has no letter or digit` };
  if (form.disabled === true) return { kind: 'disabled', reason: 'its definition says so' };
  const before = approved.find((one) => isSame(one, { name, folder }));
  if (source === 'project' && before?.digest !== digest) return { kind: 'unapproved', changed: before !== undefined };
  // What a person writes into their own file they mean; a project may ask for any name.
  const read = readDefinition(form, { folder, variable: (variable) => (variable === PROJECT_FOLDER ? cwd : source === 'user' ? env[variable] : allowed[variable]) });
  return 'problem' in read ? { kind: 'invalid', reason: `${name} ${read.problem}` } : { kind: 'usable', definition: read.definition };
}

/** The harmless variables, and those that rules `Env(NAME)` of the settings give. */
function allowedVariables(env: ServerSources['env'], { values }: LoadedSettings): Record<string, string> {
  const granted = values.permissions.allow.flatMap((text): [string, string][] => {
    const answer = parseRule(text, { purpose: 'grant' });
    const value = 'rule' in answer && answer.rule.kind === 'variable' ? env[answer.rule.name] : undefined;
    return 'rule' in answer && answer.rule.kind === 'variable' && value !== undefined ? [[answer.rule.name, value]] : [];
  });
  return childEnvironment(env, Object.fromEntries(granted));
}
