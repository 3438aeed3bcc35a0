import type { ListedAgent } from '../../protocol/events.ts';
import { plainLine } from '../../skills/activate/plain-line.ts';
import type { AgentCatalogue } from './agent-profile.ts';

const NAME_CHARS = 60;
const DESCRIPTION_CHARS = 200;
/** All lines together, bytes. */
const MOST_BYTES = 2048;

/** The agents from files as the model is told of them, within a bound; strangers' words as harmless lines. */
export function listAgents({ profiles }: AgentCatalogue): readonly ListedAgent[] {
  let bytes = 0;
  const lines = profiles.filter(({ source }) => source !== 'built-in').map(({ name, description }) => ({ name: plainLine(name, NAME_CHARS), description: plainLine(description, DESCRIPTION_CHARS) }));
  return lines.filter(({ name, description }) => (bytes += Buffer.byteLength(`- ${name}: ${description}\n`)) <= MOST_BYTES);
}

/** The part of the system prompt that names them; empty for none. */
export function agentBlock(agents: readonly ListedAgent[]): string {
  if (agents.length === 0) return '';
  return `<agents>\nFurther agents for Task:\n${agents.map(({ name, description }) => `- ${name}: ${description}`).join('\n')}\n</agents>`;
}
