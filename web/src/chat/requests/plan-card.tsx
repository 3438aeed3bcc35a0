import { useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { Markdown } from '../transcript/view/markdown.tsx';
import { cardId, type PermissionQuestion } from './asked-request.ts';
import { Denial } from './denial.tsx';
import type { CardProps } from './card-props.ts';
import styles from './requests.module.css';

/** Shows the plan of the model, to be accepted or sent back. */
export function PlanCard({ request: { input }, question, onAnswer, isAnswered }: CardProps & { readonly question: PermissionQuestion }): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const [isSendingBack, setSendingBack] = useState(false);
  const plan = input['plan'];
  return (
    <>
      <header className={styles.head}><h3 id={`${cardId(question.request_id)}-title`}>{words.plan}</h3></header>
      <div className={styles.plan} tabIndex={0} role="group" aria-label={words.plan}><Markdown text={visibleText(typeof plan === 'string' ? plan : JSON.stringify(input, null, 2))} /></div>
      {isSendingBack ? <Denial label={words.planReason} send={words.sendBackNow} isAnswered={isAnswered} onBack={() => setSendingBack(false)} onDeny={(reason) => onAnswer({ decision: 'deny', ...reason })} /> : (
        <div className={styles.answers}>
          <Button kind="main" data-key="y" disabled={isAnswered} onClick={() => onAnswer({ decision: 'allow', scope: 'once' })}>{words.acceptPlan}</Button>
          {question.mode === undefined ? null : <Button data-key="a" disabled={isAnswered} onClick={() => onAnswer({ decision: 'allow', scope: 'always' })}>{words.acceptAndEdit}</Button>}
          <Button kind="danger" data-key="n" disabled={isAnswered} onClick={() => setSendingBack(true)}>{words.sendBack}</Button>
        </div>
      )}
    </>
  );
}
