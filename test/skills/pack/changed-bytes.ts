import { SkillmintError } from '../../../src/protocol/errors.ts';
import { readPack } from '../../../src/skills/pack/read-pack.ts';

/** The same bytes, with one bit of the one at `at` changed. */
export function flipped(bytes: Uint8Array, at: number): Uint8Array {
  const copy = Buffer.from(bytes);
  copy[at] = (bytes[at] ?? 0) ^ 1;
  return copy;
}

/** Places at which a changed byte is not refused as it must be: all are tried, or only every `step`th. */
export function acceptedChanges(bytes: Uint8Array, step: number): readonly number[] {
  const accepted: number[] = [];
  for (let at = 0; at < bytes.length; at += step) {
    try {
      readPack(flipped(bytes, at));
      accepted.push(at);
    } catch (error) {
      if (!(error instanceof SkillmintError) || error.code !== 'skillpack_refused') throw error;
    }
  }
  return accepted;
}
