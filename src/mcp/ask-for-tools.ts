import type { Client } from '@modelcontextprotocol/client';
import { SkillmintError } from '../protocol/errors.ts';
import type { ConnectParts, Connection } from './connect.ts';
import type { ServerDefinition } from './definition.ts';
import { offeredTools, type OfferedTools } from './offered-tools.ts';
import { failureText } from './request-failure.ts';
import { within } from './within.ts';

/** What asking takes. */
export interface AskingParts extends Pick<ConnectParts, 'clock' | 'shortName'> {
  readonly definition: ServerDefinition;
  /** For all pages together. */
  readonly limitMs: number;
  readonly signal: AbortSignal;
}

/** Asks a server for its tools. Rejects with an error whose message says why they are not known. */
export async function askForTools(connection: Connection, { clock, shortName, definition, limitMs, signal }: AskingParts): Promise<{ readonly offered: OfferedTools; readonly hasResources: boolean }> {
  const has = connection.client.getServerCapabilities();
  const list = (late: AbortSignal): ReturnType<Client['listTools']> => connection.client.listTools(undefined, { timeout: limitMs, signal: AbortSignal.any([signal, late]) });
  try {
    // The library writes on standard output when it is asked for what a server does not have.
    const { tools } = has?.tools ? await within(clock, limitMs, list) : { tools: [] };
    return { offered: offeredTools(shortName, tools), hasResources: has?.resources !== undefined };
  } catch (error) {
    throw new SkillmintError('network_failed', connection.ended() ?? `it did not list its tools: ${failureText(error, { definition, shortName })}`, { cause: error });
  }
}
