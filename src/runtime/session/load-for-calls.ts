/** Loads what the first call of a tool needs. What cannot be loaded is told by that call. */
export function loadForCalls(): void {
  Promise.all([import('../../permissions/decide.ts'), import('../../tools/validate-input.ts')]).catch(() => undefined);
}
