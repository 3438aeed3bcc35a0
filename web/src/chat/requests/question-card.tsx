import { useState, type FormEvent, type ReactNode } from 'react';
import { answersText, askedQuestions } from '../../../../src/protocol/question.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { cardId, type PersonQuestion } from './asked-request.ts';
import { QuestionFields, type Given } from './question-fields.tsx';
import type { CardProps } from './card-props.ts';
import styles from './requests.module.css';

const NOTHING: Given = { chosen: [], own: '' };

/** Asks what the model wants to know. One question with options is answered by a press; several, and multiple choice, are sent together. */
export function QuestionCard({ question, onAnswer, isAnswered }: CardProps & { readonly question: PersonQuestion }): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const questions = askedQuestions(question);
  const [given, setGiven] = useState<readonly Given[]>([]);
  const answers = questions.map((_asked, index) => textOf(given[index] ?? NOTHING));
  const isComplete = answers.every((text) => text !== '');
  const [only] = questions.length === 1 ? questions : [];
  const byPress = only !== undefined && only.multi_select !== true;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isComplete) onAnswer({ answer: answersText(questions, answers) });
  };
  return (
    <form className={styles.question} onSubmit={submit}>
      <header className={styles.head}><h3 id={`${cardId(question.request_id)}-title`}>{words.question}</h3></header>
      {questions.map((asked, index) => (
        <QuestionFields
          key={`${index} ${asked.question}`} asked={asked} given={given[index] ?? NOTHING} disabled={isAnswered}
          {...(byPress ? { onPress: (label: string) => onAnswer({ answer: label }) } : {})}
          onChange={(change) => setGiven((before) => questions.map((_asked, at) => (at === index ? change : before[at] ?? NOTHING)))}
        />
      ))}
      <div className={styles.answers}>
        <Button kind="main" type="submit" disabled={isAnswered || !isComplete}>{words.answer}</Button>
        {questions.length > 1 && !isComplete ? <p className={styles.keys}>{words.allNeeded}</p> : null}
      </div>
    </form>
  );
}

function textOf({ chosen, own }: Given): string {
  return [...chosen, own.trim()].filter((part) => part !== '').join(', ');
}
