import path from 'node:path';
import { isInside } from '../is-inside.ts';
import type { SkillLibrary } from './library-folder.ts';
import type { Provenance } from './skill-source.ts';

/** The provenance for a lock file: a folder or an archive inside of the project is named from there, so that the lock file holds on other machines too. */
export function portableSource(provenance: Provenance, { within }: SkillLibrary): Provenance {
  const isLocal = provenance.kind === 'folder' || provenance.kind === 'zip';
  if (!isLocal || within === undefined || !path.isAbsolute(provenance.source) || !isInside(within, provenance.source)) return provenance;
  return { ...provenance, source: `./${path.relative(within, provenance.source).split(path.sep).join('/')}` };
}
