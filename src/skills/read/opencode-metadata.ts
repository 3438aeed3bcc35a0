import { isObject } from '../../protocol/json.ts';
import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { info } from './diagnostic.ts';
import { asBoolean, asText } from './field-values.ts';
import type { SkillFrontmatter } from './fields.ts';

interface Typed {
  readonly frontmatter: SkillFrontmatter;
  readonly diagnostics: readonly SkillDiagnostic[];
}

const PREFIX = 'opencode/';

/**
 * What opencode and codex let authors say in `metadata`: who may call the skill (`opencode/autoinvoke`,
 * `opencode/slash`), and a line for lists (`short-description`). A field of the standard spelling comes first. A skill
 * that is written for opencode, by such a key or by `compatibility: opencode`, counts its arguments from 1.
 */
export function readOpencodeMetadata({ frontmatter, diagnostics }: Typed): Typed {
  const metadata = isObject(frontmatter.metadata) ? frontmatter.metadata : {};
  const used = Object.keys(metadata).filter((key) => key.startsWith(PREFIX));
  const isForOpencode = used.length > 0 || frontmatter.compatibility?.toLowerCase() === 'opencode';
  const shortDescription = asText(metadata['short-description']);
  if (!isForOpencode && shortDescription === undefined) return { frontmatter, diagnostics };
  const automatic = asBoolean(metadata[`${PREFIX}autoinvoke`]);
  const slash = asBoolean(metadata[`${PREFIX}slash`]);
  const notes: SkillDiagnostic[] = [];
  if (isForOpencode) notes.push(info('dialect-opencode', `the skill is written for opencode${used.length > 0 ? ` (${used.join(', ')})` : ''}: $1 is its first argument`));
  return {
    frontmatter: {
      ...frontmatter,
      disableModelInvocation: frontmatter.disableModelInvocation ?? (automatic === undefined ? undefined : !automatic),
      userInvocable: frontmatter.userInvocable ?? slash,
      shortDescription,
      firstArgument: isForOpencode ? 1 : undefined,
    },
    diagnostics: [...diagnostics, ...notes],
  };
}
