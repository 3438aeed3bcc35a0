import { decide } from '../permissions/decide.ts';
import { parseRules, type PermissionRules } from '../permissions/rules.ts';
import { createEgressGuard } from '../egress/egress-guard.ts';
import type { WireAnswer } from '../egress/exchange.ts';
import { SkillmintError } from '../protocol/errors.ts';

/** The network that a case plays: answers of the resolver, one list of addresses for each look-up or the same for all, and redirects. */
export interface PlayedNetwork {
  readonly dns?: Readonly<Record<string, readonly string[]>>;
  readonly dnsSequence?: Readonly<Record<string, readonly (readonly string[])[]>>;
  readonly redirects?: Readonly<Record<string, string>>;
}

/** Whether the guard lets an address be fetched, redirects followed, with nothing listed in `network.allow`. No connection is made. */
export async function url(address: string, { dns = {}, dnsSequence = {}, redirects = {} }: PlayedNetwork): Promise<'allow' | 'block'> {
  const looked = new Map<string, number>();
  const guard = createEgressGuard({
    allow: [],
    env: {},
    resolve: async (name) => {
      const turn = looked.get(name) ?? 0;
      looked.set(name, turn + 1);
      return dnsSequence[name]?.[turn] ?? dnsSequence[name]?.at(-1) ?? dns[name] ?? [];
    },
    exchange: async (target) => playedAnswer(redirects[target.url.href]),
  });
  try {
    const { cancel } = await guard.fetch(address);
    cancel();
    return 'allow';
  } catch (error) {
    if (error instanceof SkillmintError) return 'block';
    throw error;
  }
}

/** What the rules alone say to a command; it runs in no workspace, so nothing is read there without a question. */
export function shell(rules: PermissionRules, command: string): 'allow' | 'ask' | 'deny' {
  const workspace = { roots: [], readableRoots: [], home: '/' };
  return decide({ call: { tool: 'Bash', needs: [{ action: 'command', command }] }, mode: 'default', rules: parseRules(rules).rules, workspace, locate: [] }).verdict;
}

function playedAnswer(location: string | undefined): WireAnswer {
  return {
    statusCode: location === undefined ? 200 : 302,
    headers: location === undefined ? {} : { location },
    destroy: () => undefined,
    async *[Symbol.asyncIterator]() {
      yield new Uint8Array();
    },
  };
}
