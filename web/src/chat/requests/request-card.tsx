import type { KeyboardEvent, ReactNode } from 'react';
import { Link } from 'wouter';
import { useLanguage } from '../../i18n/language.tsx';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { Problem } from '../../ui/notice.tsx';
import { cardId, type AskedRequest } from './asked-request.ts';
import type { CardProps } from './card-props.ts';
import { PermissionCard } from './permission-card.tsx';
import { PlanCard } from './plan-card.tsx';
import { QuestionCard } from './question-card.tsx';
import styles from './requests.module.css';
import { useAnswer } from './use-answer.ts';

/** A request that waits for a person: a permission, a plan or a question. `onTaken` is told when somebody else had answered first. */
export function RequestCard({ request, onTaken }: { readonly request: AskedRequest; readonly onTaken: () => void }): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const answer = useAnswer(request, onTaken);
  const props: CardProps = { request, onAnswer: answer.mutate, isAnswered: answer.isPending || answer.isSuccess };
  return (
    <section id={cardId(request.question.request_id)} data-request tabIndex={-1} className={styles.card} aria-labelledby={`${cardId(request.question.request_id)}-title`} onKeyDown={pressByKey}>
      {request.agent === undefined ? null : <p className={styles.agent}>{words.agent(visibleText(request.agent.type))} · <Link href={`/chat/${encodeURIComponent(request.agent.id)}`}>{words.open}</Link></p>}
      {cardOf(props)}
      <Problem error={answer.error} />
    </section>
  );
}

function cardOf(props: CardProps): ReactNode {
  const { question, tool } = props.request;
  if (question.kind === 'question') return <QuestionCard {...props} question={question} />;
  return tool === 'ExitPlanMode' ? <PlanCard {...props} question={question} /> : <PermissionCard {...props} question={question} />;
}

/** A letter presses the button that has it as `data-key`, unless it is typed into a field. */
function pressByKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, key, currentTarget } = event;
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || !/^[a-z]$/i.test(key)) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement) return;
  const button = currentTarget.querySelector<HTMLButtonElement>(`button[data-key="${key.toLowerCase()}"]:enabled`);
  if (!button) return;
  event.preventDefault();
  button.click();
}
