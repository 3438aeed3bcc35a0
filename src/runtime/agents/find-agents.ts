import path from 'node:path';
import { isTrustedFolder, type LoadedSettings } from '../../config/load-settings.ts';
import type { ReadTree } from '../../host/host.ts';
import { messageOf } from '../../protocol/errors.ts';
import { installedPlugins } from '../../skills/discover/plugin-roots.ts';
import { projectFolders } from '../../skills/discover/roots.ts';
import { BUILT_IN_AGENTS, type AgentCatalogue, type AgentProblem, type AgentProfile } from './agent-profile.ts';
import type { AgentFile } from './read-agent-file.ts';

const PLACES = ['.skillmint', '.agents', '.claude'] as const;
/** Agent files of one folder that are read. */
const MOST_FILES = 200;

/** Where agents are looked for. */
export interface AgentPlaces {
  readonly tree: ReadTree;
  readonly home: string;
  readonly dataFolder: string;
  readonly settings: LoadedSettings;
}

/**
 * The agents that a session in `cwd` can start: of the project, nearest first, of the person, of plugins (`PLUGIN:NAME`), and
 * those built in. A file of a folder that is not trusted does not take the name of a built-in agent, which people know for what it may not do.
 */
export async function findAgents(cwd: string, places: AgentPlaces): Promise<AgentCatalogue> {
  const { files, problems: unread } = agentFiles(cwd, places);
  if (files.length === 0) return { profiles: BUILT_IN_AGENTS, problems: unread };
  const { readAgentFile } = await import('./read-agent-file.ts');
  const profiles = new Map<string, AgentProfile>();
  const problems: AgentProblem[] = [...unread];
  for (const file of files) {
    const read = await readAgentFile(places.tree, file);
    if ('reason' in read) problems.push(read);
    else if (!file.trusted && isBuiltIn(read.name)) problems.push({ name: read.name, path: file.path, reason: 'it takes the name of a built-in agent, which only a file of a trusted folder may' });
    else if (!profiles.has(foldName(read.name))) profiles.set(foldName(read.name), read);
  }
  return { profiles: [...profiles.values(), ...BUILT_IN_AGENTS.filter(({ name }) => !profiles.has(name))], problems };
}

/** How names of agents are compared. */
export function foldName(name: string): string {
  return name.trim().toLowerCase().replace(/[\s_]+/g, '-');
}

function isBuiltIn(name: string): boolean {
  return BUILT_IN_AGENTS.some((agent) => agent.name === foldName(name));
}

function agentFiles(cwd: string, { tree, home, dataFolder, settings }: AgentPlaces): { readonly files: readonly AgentFile[]; readonly problems: readonly AgentProblem[] } {
  const { trustedFolders } = settings.values;
  const trusted = (folder: string): boolean => isTrustedFolder(tree, folder, trustedFolders);
  const { projects } = projectFolders({ tree, cwd, home, trusted });
  const { plugins } = installedPlugins(tree, home);
  // A folder that is the project's and the person's is the person's.
  const folders = new Map<string, Omit<AgentFile, 'path'>>([
    ...projects.flatMap((project) => PLACES.map((place): [string, Omit<AgentFile, 'path'>] => [path.join(project, place, 'agents'), { source: 'project', trusted: trusted(project) }])),
    ...[...PLACES.map((place) => path.join(home, place, 'agents')), path.join(dataFolder, 'agents')].map((folder): [string, Omit<AgentFile, 'path'>] => [folder, { source: 'user', trusted: true }]),
    ...plugins.map(({ name, folder }): [string, Omit<AgentFile, 'path'>] => [path.join(folder, 'agents'), { source: 'plugin', trusted: false, prefix: `${name}:` }]),
  ]);
  const files: AgentFile[] = [];
  const problems: AgentProblem[] = [];
  for (const [folder, origin] of folders) {
    if (!tree.isFolder(folder)) continue;
    try {
      const names = tree.list(folder).map(({ name }) => name).filter((name) => name.endsWith('.md') && name.toLowerCase() !== 'readme.md').sort();
      files.push(...names.slice(0, MOST_FILES).map((name) => ({ path: path.join(folder, name), ...origin })));
      const [first, ...more] = names.slice(MOST_FILES);
      if (first !== undefined) problems.push({ name: path.basename(first, '.md'), path: path.join(folder, first), reason: `${MOST_FILES} agent files of a folder are read at most, so this one is left out${more.length > 0 ? `, and ${more.length} more are` : ''}` });
    } catch (error) {
      problems.push({ name: folder, path: folder, reason: `it cannot be read: ${messageOf(error)}` });
    }
  }
  return { files, problems };
}
