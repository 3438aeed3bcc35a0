import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { cardId, type PermissionQuestion } from './asked-request.ts';
import { CallPreview } from './call-preview.tsx';
import { Denial } from './denial.tsx';
import type { CardProps } from './card-props.ts';
import styles from './requests.module.css';

/** Asks for consent to a call: what it would do, why it is asked for, and what "always" would store. */
export function PermissionCard({ request: { tool, input, isBelowCall }, question, onAnswer, isAnswered }: CardProps & { readonly question: PermissionQuestion }): ReactNode {
  const { words: { chat: { request: words, modes } } } = useLanguage();
  const [isDenying, setDenying] = useState(false);
  const { rules, mode, request_id } = question;
  const hasAlways = rules.length > 0 || mode !== undefined;
  const named: Readonly<Record<string, string>> = words.tools;
  return (
    <>
      <header className={styles.head}><h3 id={`${cardId(request_id)}-title`}>{Object.hasOwn(named, tool) ? named[tool] : words.tool(visibleText(tool))}</h3><Badge>{visibleText(tool)}</Badge></header>
      <p>{visibleText(question.reason)}</p>
      <CallPreview tool={tool} input={input} isBelowCall={isBelowCall === true} reason={question.reason} />
      {question.unsandboxed ? <Notice tone="warn">{words.unsandboxed}</Notice> : null}
      {rules.length === 0 ? null : <div className={styles.rules}><p>{words.stores}</p><ul>{rules.map((rule) => <li key={rule}><code>{visibleText(rule)}</code></li>)}</ul></div>}
      {isDenying ? <Denial label={words.reason} send={words.sendDenial} isAnswered={isAnswered} onBack={() => setDenying(false)} onDeny={(reason) => onAnswer({ decision: 'deny', ...reason })} /> : (
        <div className={styles.answers}>
          <Button kind="main" data-key="y" disabled={isAnswered} onClick={() => onAnswer({ decision: 'allow', scope: 'once' })}>{words.once}</Button>
          {hasAlways ? <Button data-key="a" disabled={isAnswered} onClick={() => onAnswer({ decision: 'allow', scope: 'always' })}>{mode === undefined ? words.always : words.alwaysMode(modes[mode].name)}</Button> : null}
          <Button kind="danger" data-key="n" disabled={isAnswered} onClick={() => setDenying(true)}>{words.deny}</Button>
          <p className={[styles.keys, styles.hint].join(' ')}>{hasAlways ? words.keysAlways : words.keys}</p>
        </div>
      )}
    </>
  );
}
