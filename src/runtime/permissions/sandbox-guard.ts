import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { realOrSame } from '../../config/read-settings.ts';
import type { LocalServers } from '../../egress/check-target.ts';
import type { Host } from '../../host/host.ts';
import type { Workspace } from '../../permissions/places.ts';
import { chooseSandbox, describeReport, type SandboxSetting } from '../../sandbox/choose.ts';
import { guardKeeper } from '../../sandbox/guards.ts';
import type { CommandLimits, Limiter } from '../../sandbox/limits/command-limits.ts';
import { findLimiter } from '../../sandbox/limits/find-limiter.ts';
import { sandboxPolicy, type Repository } from '../../sandbox/policy.ts';
import type { SandboxReport } from '../../sandbox/probe.ts';
import { findNsenter } from '../../sandbox/network/nsenter.ts';
import type { NetworkGrants } from '../../sandbox/network/grant-gate.ts';
import type { SessionNetwork } from '../../sandbox/network/session-network.ts';
import { loadMechanism } from '../../sandbox/load-mechanism.ts';
import type { SandboxMechanism } from '../../sandbox/mechanism.ts';
import { sandboxed } from '../../sandbox/sandboxed-host.ts';
import { makeTemporary } from '../../sandbox/temporary-folder.ts';
import { surveySandbox, type SandboxSurvey } from '../../sandbox/survey.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import type { SandboxState } from '../../protocol/events.ts';
import type { RuntimeParts } from '../parts.ts';
import { trySandbox, type TrialPlaces } from './sandbox-trial.ts';

/** How the commands of a turn run. */
export interface SandboxChoice {
  readonly state: SandboxState;
  /** Commands go through the sandbox. */
  readonly wraps: boolean;
  /** A person has to say so before the first command of the session runs without one. */
  readonly asks: boolean;
  /** A sentence for the person where commands are not isolated. */
  readonly notice?: string;
}

/** The sandbox of this process: tried out once, asked for by every turn. */
export interface SandboxGuard {
  /** What the machine offers. */
  report(): Promise<SandboxReport>;
  /** What holds for commands in the sandbox, beside its walls: limits, and what their network lacks. A line for people. */
  describe(): string;
  /** Settles how commands run; `unused` for sessions without tools. @throws SkillmintError sandbox_unavailable */
  choose(setting: SandboxSetting | 'unused'): Promise<SandboxChoice>;
  /** The host whose commands run as was chosen, in the workspace as it is at each command; /tmp is the session's own. */
  wrap(given: WrapOptions): Host;
  /** The host for a script outside of any session: it changes its own folders alone, and no git identity is there. */
  wrapScript(given: WrapScriptOptions): Host;
  /** Lines to the servers that commands of a session run; see `LocalServers`. */
  servers(sessionId: string): LocalServers;
  /** Ends the network of a session, with the lines of whatever still runs in it. */
  forget(sessionId: string): Promise<void>;
  /** Ends the networks of all sessions and removes their temporary folders. */
  close(): Promise<void>;
}

/** A script that is to run as was chosen. All folders are real paths. */
export interface WrapScriptOptions {
  readonly host: Host;
  readonly choice: SandboxChoice;
  readonly folders: { readonly writable: readonly string[]; readonly readable: readonly string[]; /** It is /tmp inside; an empty one for each command when left out. */ readonly temporary?: string; readonly repositories?: readonly Repository[] };
  readonly limits: CommandLimits;
  readonly grants: NetworkGrants;
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly parts: Pick<RuntimeParts, 'env' | 'dataFolder' | 'workFolder' | 'home'> & Partial<Pick<RuntimeParts, 'tenant'>>;
}

/** A session whose commands are to run as was chosen. */
export interface WrapOptions {
  readonly host: Host;
  readonly choice: SandboxChoice;
  readonly sessionId: string;
  /** Asked for at each command, since skills come and go. */
  readonly workspace: () => Workspace;
  /** Those that the session's commands write to beside its folders. */
  readonly repositories?: readonly Repository[];
  /** The setting `trustedFolders`. */
  readonly trustedFolders: readonly string[];
  readonly limits: CommandLimits;
  /** What rules let commands reach, as they are at each command. */
  readonly grants: () => NetworkGrants;
  /** The setting `network.allow`. */
  readonly allow: readonly string[];
  readonly parts: Pick<RuntimeParts, 'env' | 'dataFolder' | 'workFolder' | 'home'> & Partial<Pick<RuntimeParts, 'tenant'>>;
}

/** What the guard looks at. */
export interface SandboxGuardParts extends TrialPlaces {
  /** A trial that has begun. */
  readonly trial?: Promise<SandboxReport> | undefined;
}

const MAC_NOTE = '; commands share the loopback of this machine as far as rules let them; the makers of this program have not run it on a Mac, so what holds is what the trial found';

/** Makes the guard. Unless it has begun, the trial starts with the first question for it; ask early, it runs beside other work. */
export function sandboxGuard(given: SandboxGuardParts): SandboxGuard {
  let { trial } = given;
  let mechanism: SandboxMechanism | undefined;
  let survey: SandboxSurvey | undefined;
  let found: Limiter | undefined;
  const limiter = (): Limiter => (found ??= findLimiter({ platform: given.platform, isRoot: process.getuid?.() === 0 }));
  const temporary = new Map<string, string>();
  const guards = guardKeeper(path.join(given.dataFolder, 'sandbox', 'roots'));
  const networks = new Map<string, Promise<SessionNetwork>>();
  const networkOf = (sessionId: string, parts: NetworkParts): Promise<SessionNetwork> => {
    const known = networks.get(sessionId) ?? openNetwork(parts);
    networks.set(sessionId, known);
    return known;
  };
  const forget = async (sessionId: string): Promise<void> => {
    const known = networks.get(sessionId);
    networks.delete(sessionId);
    await (await known)?.close();
  };
  const tryOnce = async (): Promise<SandboxReport> => {
    trial ??= trySandbox(given);
    const report = await trial;
    mechanism ??= await loadMechanism(report, guards);
    return report;
  };
  /** Undefined where commands run as they are; never so by mistake. */
  const wallsOf = (choice: SandboxChoice): SandboxMechanism | undefined => {
    if (choice.wraps && mechanism === undefined) throw new SkillmintError('sandbox_unavailable', 'the sandbox was chosen before it was tried out; report this, or pass --sandbox off');
    return choice.wraps ? mechanism : undefined;
  };
  const surveyOnce = (parts: WrapOptions['parts']): SandboxSurvey => {
    survey ??= surveySandbox({ env: parts.env, home: parts.home, folder: path.join(parts.workFolder, 'sandbox'), execPath: process.execPath, platform: given.platform });
    return survey;
  };
  return {
    report: tryOnce,
    describe: () => `limits: ${limiter().line}${given.platform === 'darwin' ? MAC_NOTE : findNsenter() === undefined ? '; commands share no network and cannot be granted one: nsenter (package util-linux) is not installed' : ''}`,
    async choose(setting) {
      // Nothing was settled, so that whatever would run all the same needs consent.
      if (setting === 'unused') return { state: 'not isolated', wraps: false, asks: true };
      if (setting === 'off') return { state: 'not isolated', wraps: false, asks: false, notice: 'The sandbox is off: commands run with your rights (not isolated).' };
      const found = await tryOnce();
      const choice = chooseSandbox({ setting, report: found });
      const notice = choice.state === 'isolated' ? {} : { notice: `Sandbox ${describeReport(found)}` };
      return { state: choice.state, wraps: choice.run === 'sandboxed', asks: choice.run === 'after consent', ...notice };
    },
    wrap({ host, choice, sessionId, workspace, repositories = [], trustedFolders, limits, grants, allow, parts }) {
      const walls = wallsOf(choice);
      if (!walls) return host;
      guards.tidy(workspace().roots);
      const policy = () => {
        const { roots, readableRoots, home } = workspace();
        const own = temporary.get(sessionId) ?? fs.realpathSync(makeTemporary(os.tmpdir()));
        temporary.set(sessionId, own);
        const trusted = trustedFolders.filter((folder) => fs.existsSync(folder)).map((folder) => fs.realpathSync(folder));
        return sandboxPolicy({ ...surveyOnce(parts), roots, repositories, trusted, readable: readableRoots, home, dataFolder: realOrSame(host.tree, parts.tenant?.allData ?? parts.dataFolder), temporary: own });
      };
      return sandboxed(host, { mechanism: walls, policy, limiter, limits, network: { open: async () => (await networkOf(sessionId, { report: trial, allow, env: parts.env })).open(grants()) } });
    },
    wrapScript({ host, choice, folders, limits, grants, allow, parts }) {
      const walls = wallsOf(choice);
      if (!walls) return host;
      const policy = () => {
        const { gitIdentity: _identity, ...machine } = surveyOnce(parts);
        return sandboxPolicy({ ...machine, roots: [], ...folders, home: parts.home, dataFolder: realOrSame(host.tree, parts.tenant?.allData ?? parts.dataFolder) });
      };
      // Most scripts have no grants, and then need no network to share.
      const network = grants.hosts.length === 0 ? {} : { network: { open: async () => (await networkOf(folders.temporary ?? '', { report: trial, allow, env: parts.env })).open(grants) } };
      return sandboxed(host, { mechanism: walls, policy, limiter, limits, ...network });
    },
    servers: (sessionId) => async (port) => (await networks.get(sessionId))?.connect(port),
    forget,
    async close() {
      await Promise.all([...networks.keys()].map(forget));
      await found?.close();
      for (const folder of temporary.values()) fs.rmSync(folder, { recursive: true, force: true });
      temporary.clear();
    },
  };
}

interface NetworkParts {
  readonly report: Promise<SandboxReport> | undefined;
  readonly allow: readonly string[];
  readonly env: RuntimeParts['env'];
}

/** Loaded with the first command. */
async function openNetwork({ report, allow, env }: NetworkParts): Promise<SessionNetwork> {
  const { egressRules } = await import('../../egress/egress-guard.ts');
  const rules = () => egressRules({ allow, env });
  const bubblewrap = (await report)?.bubblewrap;
  if (bubblewrap === undefined) return (await import('../../sandbox/network/loopback-network.ts')).loopbackNetwork({ rules });
  return (await import('../../sandbox/network/session-network.ts')).sessionNetwork({ programs: { bubblewrap, nsenter: findNsenter() }, rules });
}
