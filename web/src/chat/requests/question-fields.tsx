import { useId, type ReactNode } from 'react';
import type { AskedQuestion, QuestionOption } from '../../../../src/protocol/question.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import styles from './requests.module.css';

/** What was answered so far. */
export interface Given {
  /** Labels of the options. */
  readonly chosen: readonly string[];
  readonly own: string;
}

interface QuestionFieldsProps {
  readonly asked: AskedQuestion;
  readonly given: Given;
  readonly disabled: boolean;
  readonly onChange: (given: Given) => void;
  /** An option is the whole answer, and goes at once. */
  readonly onPress?: (label: string) => void;
}

/** One question with its options and a field for other words. */
export function QuestionFields({ asked: { question, header, options = [], multi_select }, given, disabled, onChange, onPress }: QuestionFieldsProps): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const id = useId();
  const choose = (label: string, isChosen: boolean): void => onChange({ ...given, chosen: [...(multi_select ? given.chosen.filter((one) => one !== label) : []), ...(isChosen ? [label] : [])] });
  return (
    <fieldset className={styles.fields} disabled={disabled}>
      <legend>{header === undefined ? null : <><Badge>{visibleText(header)}</Badge> </>}{visibleText(question)}{multi_select ? <span className={styles.keys}> {words.several}</span> : null}</legend>
      {options.map((option) => (onPress ? (
        <Button key={option.label} className={styles.option} onClick={() => onPress(option.label)}><OptionText {...option} /></Button>
      ) : (
        <label key={option.label} className={styles.choice}>
          <input type={multi_select ? 'checkbox' : 'radio'} name={id} checked={given.chosen.includes(option.label)} onChange={({ target }) => choose(option.label, target.checked)} />
          <OptionText {...option} />
        </label>
      )))}
      <label className={styles.own}>
        <span>{options.length > 0 ? words.own : words.ownOnly}</span>
        <input value={given.own} autoComplete="off" onChange={({ target }) => onChange({ chosen: multi_select ? given.chosen : [], own: target.value })} />
      </label>
    </fieldset>
  );
}

function OptionText({ label, description }: QuestionOption): ReactNode {
  return <span className={styles.optionText}><strong>{visibleText(label)}</strong>{description === undefined ? null : <span className={styles.described}>{visibleText(description)}</span>}</span>;
}
