import { isLocalKind } from '../../skills/library/portable-source.ts';
import { parseSource } from '../../skills/library/parse-source.ts';

/** True for a source of skills that lies on this machine. @throws SkillmintError usage, install_refused for what is no source */
export function isLocalSource(source: string): boolean {
  return isLocalKind(parseSource(source, '/').kind);
}
