import type { ReactNode } from 'react';
import type { Json, JsonObject } from '../../../../src/protocol/json.ts';
import { isObject } from '../../../../src/protocol/json.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import styles from './skill-view.module.css';

/** Fields that are written otherwise than with hyphens. */
const NAMES: Readonly<Record<string, string>> = { maxIterations: 'max_iterations', whenToUse: 'when_to_use', displayName: 'display_name' };
/** They have a place of their own on the page. */
const SHOWN_ABOVE = new Set(['name', 'description', 'other']);

/** The head of the SKILL.md, as it was understood. */
export function SkillFacts({ frontmatter }: { readonly frontmatter: JsonObject }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const known = Object.entries(frontmatter).filter(([name]) => !SHOWN_ABOVE.has(name)).map(([name, value]): readonly [string, Json] => [NAMES[name] ?? name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), value]);
  const other = isObject(frontmatter['other']) ? Object.entries(frontmatter['other']) : [];
  const facts = [...known, ...other];
  if (facts.length === 0) return null;
  return (
    <section>
      <h2>{words.facts}</h2>
      <dl className={styles.facts}>{facts.map(([name, value]) => <Fact key={name} name={name} value={value} />)}</dl>
    </section>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: unknown }): ReactNode {
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'string');
  return <><dt><code>{visibleText(name)}</code></dt><dd>{typeof value === 'string' ? visibleText(value) : isList ? visibleText(value.join(', ')) : <code>{visibleText(JSON.stringify(value, null, 1))}</code>}</dd></>;
}
