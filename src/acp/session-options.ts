import type { SessionConfigOption, SessionModeState } from '@agentclientprotocol/sdk';
import type { EffortLevel } from '../protocol/events.ts';
import { PERMISSION_MODES, type PermissionMode } from '../protocol/permission.ts';
import type { SessionState } from '../protocol/session-state.ts';
import type { Runtime } from '../runtime/runtime.ts';

/** Levels of effort in rising order. */
export const EFFORTS: readonly EffortLevel[] = ['low', 'medium', 'high', 'xhigh', 'max'];
/** Stands for the effort that the model takes by itself. */
const OWN_EFFORT = 'own';

const MODES: Readonly<Record<PermissionMode, { readonly name: string; readonly description: string }>> = {
  default: { name: 'Default', description: 'Changes, commands and what leaves the machine ask first.' },
  acceptEdits: { name: 'Accept edits', description: 'Edits inside the workspace do not ask.' },
  plan: { name: 'Plan', description: 'Only reads, and makes a plan.' },
  dontAsk: { name: 'Do not ask', description: 'What would ask is refused.' },
  unrestricted: { name: 'Unrestricted', description: 'Nothing asks; deny rules, sandbox, trust and egress guard stay.' },
};

/** Modes and options of a session. */
export interface SessionOptions {
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

/** What of a session may be chosen. */
export type Chosen = Pick<SessionState, 'permission_mode' | 'model'> & { readonly effort: EffortLevel | undefined };

/** The permission modes as modes of the session. */
export function modeState({ permission_mode }: Pick<Chosen, 'permission_mode'>): SessionModeState {
  return { currentModeId: permission_mode, availableModes: PERMISSION_MODES.map((id) => ({ id, ...MODES[id] })) };
}

/** Mode, model and effort as options of the session. */
export async function configOptions(runtime: Pick<Runtime, 'settings'>, cwd: string, { permission_mode, model, effort }: Chosen): Promise<SessionConfigOption[]> {
  const ready = (await (await runtime.settings(cwd)).models()).filter((one) => one.ready).map(({ name }) => name);
  const models = ready.includes(model) ? ready : [model, ...ready];
  return [
    { type: 'select', id: 'mode', name: 'Permission mode', category: 'mode', currentValue: permission_mode, options: PERMISSION_MODES.map((value) => ({ value, ...MODES[value] })) },
    { type: 'select', id: 'model', name: 'Model', category: 'model', currentValue: model, options: models.map((value) => ({ value, name: value })) },
    { type: 'select', id: 'effort', name: 'Effort', category: 'thought_level', description: 'How hard the model thinks.', currentValue: effort ?? OWN_EFFORT, options: [{ value: OWN_EFFORT, name: 'As the model has it' }, ...EFFORTS.map((value) => ({ value, name: value }))] },
  ];
}

/** The effort of that name: undefined in `level` for the model's own; nothing for no effort. */
export function effortNamed(name: string): { readonly level: EffortLevel | undefined } | undefined {
  const level = EFFORTS.find((one) => one === name);
  return level !== undefined || name === OWN_EFFORT ? { level } : undefined;
}
