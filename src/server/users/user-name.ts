import { SkillmintError } from '../../protocol/errors.ts';

const NAME = /^[a-z][a-z0-9_-]{0,31}$/;
/** Device names of Windows are no folders there; the other one stands for whoever has the token of a server without users. */
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d|owner)$/;

/** True for a name that a user can have. It names a folder, too: small letters, digits, `_` and `-`. */
export function isUserName(name: string): boolean {
  return NAME.test(name) && !RESERVED.test(name);
}

/** @throws SkillmintError usage for a name that no user can have */
export function checkUserName(name: string): string {
  if (isUserName(name)) return name;
  throw new SkillmintError('usage', `${JSON.stringify(name)} cannot be the name of a user: take small letters, digits, "-" and "_", at most 32, with a letter first${RESERVED.test(name) ? '; this one is reserved' : ''}.`);
}
