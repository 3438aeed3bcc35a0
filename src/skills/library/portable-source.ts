import path from 'node:path';
import { isInside } from '../../host/paths.ts';
import type { SkillLibrary } from './library-folder.ts';
import type { Provenance } from './skill-source.ts';

/** True for sources on this machine. */
export function isLocalKind(kind: Provenance['kind']): boolean {
  return kind === 'folder' || kind === 'zip' || kind === 'skillpack';
}

/** The provenance for a lock file: a folder or a file inside of the project is named from there, so that the lock file holds on other machines too. */
export function portableSource(provenance: Provenance, { within }: SkillLibrary): Provenance {
  if (!isLocalKind(provenance.kind) || within === undefined || !path.isAbsolute(provenance.source) || !isInside(within, provenance.source)) return provenance;
  return { ...provenance, source: `./${path.relative(within, provenance.source).split(path.sep).join('/')}` };
}
