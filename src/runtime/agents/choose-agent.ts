import { mostSimilar } from '../../util/similar.ts';
import { GENERAL_AGENT, type AgentCatalogue, type AgentProfile } from './agent-profile.ts';
import { foldName } from './find-agents.ts';

/** Names of the built-in agents in other programs. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([['general', 'general-purpose'], ['default', 'general-purpose'], ['explorer', 'explore']]);
/** Names that an answer lists. */
const MOST_NAMES = 30;

/**
 * The agent of that name, however its letters are written; one of a plugin also without the plugin's name where only one is
 * called so; `general-purpose` where none is named. Undefined where there is none.
 */
export function agentNamed({ profiles }: AgentCatalogue, name: string | undefined): AgentProfile | undefined {
  const wanted = foldName(name ?? '');
  const called = (folded: string): AgentProfile | undefined => profiles.find((profile) => foldName(profile.name) === folded);
  if (wanted === '') return called(GENERAL_AGENT.name);
  const ofPlugins = profiles.filter(({ name: full, source }) => source === 'plugin' && foldName(full).endsWith(`:${wanted}`));
  return called(wanted) ?? called(OTHER_NAMES.get(wanted) ?? '') ?? (ofPlugins.length === 1 ? ofPlugins[0] : undefined);
}

/** Why there is no agent of that name, and which there are. */
export function noSuchAgent({ profiles, problems }: AgentCatalogue, name: string): string {
  const broken = problems.find((problem) => foldName(problem.name) === foldName(name));
  const names = profiles.map((profile) => profile.name);
  const known = `Agents: ${names.slice(0, MOST_NAMES).join(', ')}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''}.`;
  if (broken) return `The agent "${name}" cannot be used: ${broken.reason} (${broken.path}). ${known}`;
  const near = mostSimilar(name, names, 1);
  return `There is no agent "${name}".${near.length > 0 ? ` Did you mean ${near.join('')}?` : ''} ${known}`;
}
