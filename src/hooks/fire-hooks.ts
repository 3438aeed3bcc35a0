import path from 'node:path';
import type { Host } from '../host/host.ts';
import { hookKey, type Hook, type HookEvent } from '../protocol/hook.ts';
import type { JsonObject } from '../protocol/json.ts';
import { matcherFits } from './matcher.ts';
import { readAnswer, type HookAnswer } from './read-answer.ts';
import { runHookCommand } from './run-command.ts';

/** Hooks of one origin and how their commands run. */
export interface HookSource {
  /** `settings:LAYER` or the id of a skill. */
  readonly id: string;
  readonly kind: 'person' | 'skill';
  readonly hooks: readonly Hook[];
  /** Folder of the skill. */
  readonly folder?: string;
  /** Runs the commands: in the sandbox for skills. */
  readonly host: Pick<Host, 'start' | 'clock' | 'platform' | 'tree'>;
  /** The whole environment of the commands. */
  readonly env: Readonly<Record<string, string>>;
  /** Asked before a run: why its hooks may not run now. */
  readonly barred?: () => string | undefined;
}

/** Something that hooks may have been waiting for. */
export interface HookMoment {
  readonly event: HookEvent;
  /** What matchers are compared with. */
  readonly names: readonly string[];
  /** What the command reads beside the facts of the session. */
  readonly fields: JsonObject;
}

/** What firing depends on beside the hooks. */
export interface FireParts {
  readonly cwd: string;
  /** Facts of the session, part of what each command reads. */
  readonly facts: JsonObject;
  /** Program and arguments for a line of the shell. */
  readonly shell: (line: string) => Promise<readonly string[]>;
  /** Whether the call meets a permission rule, or may. */
  readonly meets: (rule: string) => Promise<boolean>;
  /** True once for each hook that may run only once; false from then on. */
  readonly claim: (key: string) => boolean;
  /** True for a reason that was not told yet: what cannot run says so once. */
  readonly isNews: (reason: string) => boolean;
  readonly signal: AbortSignal;
}

/** A hook that ran, or was kept from running. */
export interface FiredHook {
  readonly source: HookSource;
  readonly hook: Hook;
  readonly answer: HookAnswer;
  readonly durationMs: number;
}

const USUAL_TIMEOUT_MS = 600_000;
const PROMPT_TIMEOUT_MS = 30_000;
/** The program waits for these when it ends. */
const END_TIMEOUT_MS = 5_000;
const LONGEST_END_TIMEOUT_MS = 60_000;

/** Runs the hooks for a moment side by side, the same command once, and resolves to what they said in the order of their sources. */
export async function fireHooks(sources: readonly HookSource[], moment: HookMoment, parts: FireParts): Promise<readonly FiredHook[]> {
  const seen = new Set<string>();
  const due: { readonly source: HookSource; readonly hook: Hook }[] = [];
  for (const source of sources) {
    for (const hook of source.hooks) {
      if (hook.event !== moment.event || !matcherFits(hook.matcher, moment.names)) continue;
      if (hook.if !== undefined && !(await parts.meets(hook.if))) continue;
      const same = JSON.stringify([source.kind, source.folder, hook.command, hook.args, hook.shell, hook.once]);
      if (seen.has(same)) continue;
      seen.add(same);
      due.push({ source, hook });
    }
  }
  return (await Promise.all(due.map(({ source, hook }) => fire(source, hook, moment, parts)))).filter((fired) => fired !== undefined);
}

async function fire(source: HookSource, hook: Hook, moment: HookMoment, parts: FireParts): Promise<FiredHook | undefined> {
  const { clock } = source.host;
  const began = clock.now();
  const barred = source.barred?.();
  if (barred !== undefined) return parts.isNews(barred) ? { source, hook, answer: { status: 'skipped', message: barred }, durationMs: 0 } : undefined;
  if (hook.once && !parts.claim(hookKey({ ...hook, source: source.id }))) return undefined;
  const timeoutMs = timeoutOf(hook);
  const argv = await argvOf(source, hook, parts);
  const stdin = JSON.stringify({ ...parts.facts, hook_event_name: hook.event, ...moment.fields });
  const end = await runHookCommand(source.host, { argv, cwd: parts.cwd, env: source.env, stdin: `${stdin}\n`, timeoutMs }, parts.signal);
  return { source, hook, answer: readAnswer(hook.event, end, timeoutMs), durationMs: Math.round(clock.now() - began) };
}

function timeoutOf({ event, timeout_ms }: Hook): number {
  if (event === 'SessionEnd') return Math.min(timeout_ms ?? END_TIMEOUT_MS, LONGEST_END_TIMEOUT_MS);
  return timeout_ms ?? (event === 'UserPromptSubmit' ? PROMPT_TIMEOUT_MS : USUAL_TIMEOUT_MS);
}

async function argvOf(source: HookSource, hook: Hook, { shell }: FireParts): Promise<readonly string[]> {
  const fill = (text: string): string => text.replace(/\$\{(CLAUDE_PROJECT_DIR|CLAUDE_SKILL_DIR|SKILL_DIR|CLAUDE_PLUGIN_ROOT)\}/g, (whole, name: string) => source.env[name] ?? whole);
  if (hook.args) return [ownProgram(source, fill(hook.command)), ...hook.args.map(fill)];
  if (hook.shell === 'powershell') return [source.host.platform === 'win32' ? 'powershell' : 'pwsh', '-NoProfile', '-NonInteractive', '-Command', fill(hook.command)];
  const [start = ''] = /^\.\/[\w./@+-]+/.exec(hook.command) ?? [];
  const program = ownProgram(source, start);
  return shell(program === start ? hook.command : `'${program.replaceAll("'", String.raw`'\''`)}'${hook.command.slice(start.length)}`);
}

/** A skill that writes `./scripts/check.sh` means its own file, not one of the session's folder. */
function ownProgram({ folder, host }: HookSource, program: string): string {
  if (folder === undefined || !program.startsWith('./')) return program;
  const file = path.join(folder, program);
  const names = file.startsWith(`${folder}${path.sep}`) ? listed(host, path.dirname(file)) : [];
  return names.includes(path.basename(file)) ? file : program;
}

function listed({ tree }: HookSource['host'], folder: string): readonly string[] {
  try {
    return tree.list(folder).map((entry) => entry.name);
  } catch (error) {
    if (error instanceof Error && 'code' in error) return [];
    throw error;
  }
}
