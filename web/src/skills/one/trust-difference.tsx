import type { ReactNode } from 'react';
import type { ApiTrustDifference } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import forms from '../forms.module.css';

/** What is not as it was when the person trusted the skill. */
export function TrustDifference({ difference: { files, claims } }: { readonly difference: ApiTrustDifference }): ReactNode {
  const { words: { skills: { trust: words } } } = useLanguage();
  const lines = [
    ...files.added.map((path) => `+ ${path}`), ...files.removed.map((path) => `− ${path}`), ...files.changed.map((path) => `~ ${path}`),
    ...Object.entries(claims).flatMap(([kind, { added, removed }]) => [...added.map((claim) => `+ ${kind}: ${claim}`), ...removed.map((claim) => `− ${kind}: ${claim}`)]),
  ];
  return <section><h3>{words.difference}</h3><ul className={forms.list}>{lines.map((line) => <li key={line}><code>{visibleText(line)}</code></li>)}</ul></section>;
}
