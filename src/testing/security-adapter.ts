import { localHost } from '../host/local-host.ts';
import { decide } from '../permissions/decide.ts';
import { placeOf } from '../permissions/places.ts';
import { parseRules, type PermissionRules } from '../permissions/rules.ts';
import { createEgressGuard } from '../egress/egress-guard.ts';
import type { WireAnswer } from '../egress/exchange.ts';
import { locateAll } from '../runtime/permissions/permit.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { backgroundShells } from '../tools/background-shells.ts';
import { builtinTools, toolResolver } from '../tools/tool-set.ts';
import { failed } from '../protocol/tool.ts';

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

/** The folders of a case: a session's workspace and a skill that may be read. */
export interface CaseFolders {
  readonly base: string;
  readonly ws: string;
  readonly skill: string;
}

const FILE_TOOLS = { read: 'Read', write: 'Write', list: 'LS' } as const;

/**
 * Really does what a file tool is asked for, if it may without a question: `ask` for what a person may allow inside the
 * workspace, `block` for what fails, or stays undone as nobody says that it may leave the workspace.
 */
export async function path({ ws, skill }: CaseFolders, root: 'ws' | 'skill', op: keyof typeof FILE_TOOLS, given: string): Promise<'allow' | 'ask' | 'block'> {
  const host = localHost();
  const tool = toolResolver(builtinTools({ platform: host.platform }))(FILE_TOOLS[op]);
  if (!tool) throw new TypeError(`there is no tool ${FILE_TOOLS[op]}`);
  const cwd = root === 'ws' ? ws : skill;
  const input = { [op === 'list' ? 'path' : 'file_path']: given, ...(op === 'write' ? { content: 'written' } : {}) };
  const needs = tool.needs(input, { cwd });
  const workspace = { roots: [ws], readableRoots: root === 'skill' ? [skill] : [], home: '/nowhere' };
  const locate = await locateAll(host.files, needs);
  const { verdict } = decide({ call: { tool: tool.spec.name, needs }, mode: 'acceptEdits', rules: parseRules({ allow: [], ask: [], deny: [] }).rules, workspace, locate });
  if (verdict !== 'allow') return verdict === 'ask' && locate.length === needs.length && locate.every(({ path: wanted }) => placeOf(wanted, { locate, workspace }).inRoots) ? 'ask' : 'block';
  const refused = async (): Promise<ReturnType<typeof failed>> => failed('There is nothing of that here.');
  const outcome = await tool.run(input, {
    callId: 'case', host, cwd, places: locate, childEnv: {}, signal: new AbortController().signal, emit: () => undefined, keepBefore: async () => undefined, newRequestId: () => 'req',
    fileStamps: new Map(), todos: [], shells: backgroundShells(), skills: { load: refused, find: refused }, web: { fetch: refused, search: refused }, browser: { run: async () => ({ outcome: await refused() }) }, agents: { run: refused, output: refused, stop: async () => undefined }, memory: { run: refused }, modeBeforePlan: 'default', accepts: { images: false, documents: false },
  });
  return outcome.status === 'ok' ? 'allow' : 'block';
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
