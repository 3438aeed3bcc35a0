import type { SkillEntry } from '../../skills/discover/skill-entry.ts';
import type { SkillService } from '../library/skill-service.ts';
import type { RuntimeParts } from '../parts.ts';

/** What the tools work with. */
export interface SkillToolParts {
  readonly parts: RuntimeParts;
  /** Absolute. */
  readonly cwd: string;
  readonly service: SkillService;
  /** The skill that a model may use by this name. @throws SkillmintError skill_not_found, permission_denied */
  readonly skillNamed: (name: string) => Promise<SkillEntry>;
}
