import { CLIENT_CAPABILITIES_META_KEY, type CallToolResult, type Client, type InputRequiredResult } from '@modelcontextprotocol/client';
import type { ServerCall } from './supervised-server.ts';

/** A call that reports progress may take so many times its usual limit. */
const PROGRESS_FACTOR = 10;

/** What bounds a request. */
export interface RequestLimits {
  /** ms. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** A call of a tool as a request to its server. `hasRoots`: the server may ask for folders. */
export function callRequest({ tool, input, onProgress, given }: Omit<ServerCall, 'signal'>, { hasRoots }: { readonly hasRoots: boolean }): (client: Client, limits: RequestLimits) => Promise<CallToolResult | InputRequiredResult> {
  const { name, outputSchema: _unchecked, ...definition } = tool.remote;
  const again = given ? { inputResponses: given.responses, ...(given.state === undefined ? {} : { requestState: given.state }) } : {};
  return (client, limits) => client.callTool({ name, arguments: { ...input }, ...again, ...asking(client, hasRoots) }, {
    ...limits,
    allowInputRequired: true,
    toolDefinition: { name, ...definition },
    onprogress: ({ progress, total, message }) => onProgress(`${progress}${total === undefined ? '' : `/${total}`}${message === undefined ? '' : ` ${message}`}`),
    resetTimeoutOnProgress: true,
    maxTotalTimeout: limits.timeout * PROGRESS_FACTOR,
  });
}

/** In the newest revision a question to the person ends a call, which is made again with the answer; in older ones it would hold the call open. */
function asking(client: Client, hasRoots: boolean): { readonly _meta?: Record<string, unknown> } {
  if (client.getProtocolEra() !== 'modern') return {};
  return { _meta: { [CLIENT_CAPABILITIES_META_KEY]: { ...(hasRoots ? { roots: {} } : {}), elicitation: { form: {} } } } };
}
