import type { ServerStatus, ServerSummary } from '../../protocol/mcp.ts';
import type { CheckedServer } from './check-servers.ts';
import { targetOf, transportOf } from './server-target.ts';

/** The status that listings show; `usable` where nobody has connected. */
export function statusOf({ listed: { shortName, standing }, state }: CheckedServer): ServerStatus {
  switch (standing.kind) {
    case 'unapproved': return { status: 'unapproved', reason: `${standing.changed ? 'its definition has changed since you approved it' : 'you have not approved it yet'}: skillmint mcp approve ${shortName}` };
    case 'disabled': case 'shadowed': case 'invalid': return { status: standing.kind, reason: standing.reason };
    case 'usable': break;
  }
  if (state === undefined) return { status: 'usable' };
  if (state.state === 'ready') return { status: 'ready' };
  if (state.state === 'starting' && state.reason === undefined) return { status: 'starting', reason: `it was not ready within 10 s${state.said === undefined ? '' : `; it printed: ${state.said}`}; to wait for it longer: skillmint mcp test ${shortName}` };
  return { status: 'failed', reason: state.state === 'idle' ? 'it was stopped' : state.reason ?? '' };
}

/** A server as `--json` prints it. */
export function serverJson(checked: CheckedServer): ServerSummary {
  const { listed, state, version } = checked;
  const { form } = listed;
  return {
    name: listed.name,
    tool_prefix: `mcp__${listed.shortName}__`,
    scope: listed.source,
    file: listed.file ?? null,
    transport: transportOf(listed),
    ...(form.url === undefined ? { command: targetOf(listed) } : { url: form.url }),
    digest: listed.digest,
    ...statusOf(checked),
    ...(state?.state === 'ready' ? { protocol: state.protocol, tools: state.tools, restarts: state.restarts, notes: state.notes } : {}),
    ...(version === undefined ? {} : { server: version }),
  };
}
