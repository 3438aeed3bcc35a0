import type { AvailableCommand } from '@agentclientprotocol/sdk';
import type { RunningTurn, Runtime } from '../runtime/runtime.ts';
import { callableSkills } from '../runtime/skills/callable-skills.ts';
import { SkillmintError } from '../protocol/errors.ts';
import { visibleText } from '../protocol/visible-text.ts';
import { cutStart } from '../util/cut-text.ts';

const DESCRIPTION_CHARS = 300;
const HINT_CHARS = 100;

/** What a command works with. */
export interface CommandParts {
  readonly runtime: Pick<Runtime, 'compact' | 'unloadSkill' | 'sessions'>;
  readonly sessionId: string;
  /** Goes on with what was cut off or waits; undefined where there is nothing of the kind. */
  readonly goOn: () => Promise<RunningTurn | 'left' | undefined>;
}

/** A command of the program itself. */
interface OwnCommand extends AvailableCommand {
  /** Resolves to what is said, or to a turn that goes on. */
  run(parts: CommandParts, rest: string): Promise<string | RunningTurn>;
}

const OWN_COMMANDS: readonly OwnCommand[] = [
  {
    name: 'compact',
    description: 'Replace the older part of the conversation by a summary',
    async run({ runtime, sessionId }) {
      const { before, after } = await runtime.compact(sessionId);
      return `${before} → ${after} tokens`;
    },
  },
  {
    name: 'continue',
    description: 'Go on with a turn that was cut off, or ask again for what the session waits for',
    async run({ goOn }) {
      const turn = await goOn();
      if (turn === 'left') return 'It waits still.';
      return turn ?? 'Nothing was cut off, and nothing waits for you.';
    },
  },
  {
    name: 'unload',
    description: 'Take the instructions of a skill out of force',
    input: { hint: 'skill' },
    async run({ runtime, sessionId }, skill) {
      const inForce = async (): Promise<string> => [...(await runtime.sessions.state(sessionId)).skills.keys()].join(', ') || 'none';
      if (skill === '') throw new SkillmintError('usage', `Name the skill: /unload SKILL. In force: ${await inForce()}.`);
      await runtime.unloadSkill(sessionId, skill);
      return `In force: ${await inForce()}`;
    },
  },
];

/** The command that a message is; undefined for one that is sent to the model. */
export function commandIn(text: string): { readonly run: (parts: CommandParts) => Promise<string | RunningTurn> } | undefined {
  const [, name, rest = ''] = /^\s*\/(\S+)\s*(.*)$/s.exec(text) ?? [];
  const command = OWN_COMMANDS.find((one) => one.name === name);
  return command && { run: (parts) => command.run(parts, rest.trim()) };
}

/** The commands of the program, then the skills of a folder that a person may call. */
export async function availableCommands(runtime: Pick<Runtime, 'skills'>, { cwd, addDirs }: { readonly cwd: string; readonly addDirs: readonly string[] }): Promise<AvailableCommand[]> {
  const skills = callableSkills(await runtime.skills(cwd, addDirs)).filter(({ name }) => visibleText(name) === name && OWN_COMMANDS.every((own) => own.name !== name));
  return [
    ...OWN_COMMANDS.map(({ name, description, input }) => ({ name, description, ...(input ? { input } : {}) })),
    ...skills.map(({ name, description, hint }) => ({ name, description: shown(description, DESCRIPTION_CHARS), ...(hint === undefined ? {} : { input: { hint: shown(hint, HINT_CHARS) } }) })),
  ];
}

function shown(text: string, most: number): string {
  return cutStart(visibleText(text).replace(/\s+/g, ' ').trim(), most);
}
