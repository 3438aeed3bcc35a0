import { PERMISSION_MODES, type PermissionMode } from '../protocol/permission.ts';

/** Other names under which a mode is known. */
const OTHER_NAMES: ReadonlyMap<string, PermissionMode> = new Map([['bypassPermissions', 'unrestricted']]);

/** The modes that a key in the terminal goes through, in this order. The others are chosen by name only. */
const CYCLE: readonly PermissionMode[] = ['default', 'acceptEdits', 'plan'];

/** The mode of that name, or undefined. */
export function parseMode(name: string): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === name) ?? OTHER_NAMES.get(name);
}

/** The mode after this one in the terminal's order; a mode outside of it leads to `default`. */
export function nextMode(mode: PermissionMode): PermissionMode {
  return CYCLE[(CYCLE.indexOf(mode) + 1) % CYCLE.length] ?? 'default';
}
