import type { ApiSkill } from '../../api/skill-endpoints.ts';
import type { ShownSkill } from '../../runtime/library/skill-service.ts';
import { asJson } from '../as-json.ts';

/** A skill as the API shows it; real paths of its files stay out. */
export function shownSkill({ frontmatter, files, trust, ...skill }: ShownSkill): ApiSkill {
  return { ...skill, trust: { trusted: trust.trusted, why: trust.why }, frontmatter: asJson(frontmatter), files: files.map(({ path, kind, size }) => ({ path, kind, size })) };
}
