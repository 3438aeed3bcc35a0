import type { Memory } from '../../memory/memory.ts';
import type { McpService } from '../mcp/mcp-service.ts';
import type { SkillService } from '../library/skill-service.ts';
import type { Runtime } from '../runtime.ts';
import type { SettingsService } from '../settings/settings-service.ts';
import type { Replica } from './replica.ts';

/**
 * A runtime whose data folder is one of several with the same files: what looks at them sees what other workers have changed, and
 * what changes them has done so for all. Turns look at them when they begin.
 */
export function replicatedRuntime(runtime: Runtime, replica: Replica): Runtime {
  const { skillAgent, enhancements } = runtime;
  const seeing = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) => async (...args: A): Promise<T> => {
    await replica.fresh();
    return work(...args);
  };
  const changing = <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) => (...args: A): Promise<T> => replica.change(() => work(...args));
  return {
    ...runtime,
    skills: seeing(runtime.skills),
    refreshSkills: seeing(runtime.refreshSkills),
    evaluateSkill: seeing(runtime.evaluateSkill),
    enhanceSkill: seeing(runtime.enhanceSkill),
    draftEvals: changing(runtime.draftEvals),
    skillAgent: { search: seeing(skillAgent.search), decide: seeing(skillAgent.decide), edit: seeing(skillAgent.edit), create: changing(skillAgent.create) },
    enhancements: { ...enhancements, apply: changing(enhancements.apply) },
    settings: async (cwd) => sharedSettingsService(await runtime.settings(cwd), { seeing, changing }),
    mcp: async (cwd) => sharedServers(await runtime.mcp(cwd), { seeing, changing }),
    memory: async (cwd, skill) => sharedMemory(await runtime.memory(cwd, skill), { seeing, changing }),
    library: async (cwd) => sharedSkills(await runtime.library(cwd), { seeing, changing }),
  };
}

/** Both make the same method of a method. */
interface Ways {
  readonly seeing: <A extends readonly unknown[], T>(work: (...args: A) => Promise<T>) => (...args: A) => Promise<T>;
  readonly changing: Ways['seeing'];
}

function sharedSettingsService(service: SettingsService, { seeing, changing }: Ways): SettingsService {
  return { ...service, list: seeing(service.list), set: changing(service.set), models: seeing(service.models), providers: seeing(service.providers) };
}

function sharedServers(service: McpService, { seeing, changing }: Ways): McpService {
  return { ...service, list: seeing(service.list), add: changing(service.add), remove: changing(service.remove), approve: changing(service.approve), revoke: changing(service.revoke) };
}

function sharedMemory(memory: Memory, { seeing, changing }: Ways): Memory {
  return { list: seeing(memory.list), read: seeing(memory.read), write: changing(memory.write), remove: changing(memory.remove) };
}

function sharedSkills(service: SkillService, { seeing, changing }: Ways): SkillService {
  return {
    list: seeing(service.list), search: seeing(service.search), refresh: seeing(service.refresh), show: seeing(service.show), folder: seeing(service.folder),
    readFile: seeing(service.readFile), examine: seeing(service.examine), execute: seeing(service.execute),
    create: changing(service.create), install: changing(service.install), describe: changing(service.describe), switch: changing(service.switch),
    remove: changing(service.remove), trust: changing(service.trust), revoke: changing(service.revoke),
  };
}
