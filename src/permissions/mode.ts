import { PERMISSION_MODES, type PermissionMode } from '../protocol/permission.ts';

/** Other names under which a mode is known. */
const OTHER_NAMES: ReadonlyMap<string, PermissionMode> = new Map([['bypassPermissions', 'unrestricted']]);

/** From strict to lenient. */
const BY_STRICTNESS: readonly PermissionMode[] = ['plan', 'dontAsk', 'default', 'acceptEdits', 'unrestricted'];

/** The stricter of two modes. */
export function stricterOf(a: PermissionMode, b: PermissionMode): PermissionMode {
  return BY_STRICTNESS.indexOf(a) <= BY_STRICTNESS.indexOf(b) ? a : b;
}

/** The mode of that name, or undefined. */
export function parseMode(name: string): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === name) ?? OTHER_NAMES.get(name);
}
