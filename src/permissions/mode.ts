import { PERMISSION_MODES, type PermissionMode } from '../protocol/permission.ts';

/** Other names under which a mode is known. */
const OTHER_NAMES: ReadonlyMap<string, PermissionMode> = new Map([['bypassPermissions', 'unrestricted']]);

/** The mode of that name, or undefined. */
export function parseMode(name: string): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === name) ?? OTHER_NAMES.get(name);
}
