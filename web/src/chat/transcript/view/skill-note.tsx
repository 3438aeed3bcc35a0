import type { ReactNode } from 'react';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { NoteEvent } from '../../../../../src/protocol/transcript/transcript.ts';
import { Card, Part } from './card.tsx';
import { LongText } from './long-text.tsx';
import styles from './note.module.css';

/** Which skill was loaded and why; opens to what the model was told. */
export function SkillNote({ id, event }: { readonly id: string; readonly event: Extract<NoteEvent, { type: 'skill.activated' }> }): ReactNode {
  const { words: { transcript: { skill } } } = useLanguage();
  const head = <span className={styles.head}>{skill.loaded} <strong>{visibleText(event.skill_id)}</strong>: {skill.why[event.trigger]}</span>;
  return (
    <Card id={id} head={head}>
      {() => (
        <>
          {(event.commands ?? []).map(({ command, exit_code, why }, place) => <p key={place} className={styles.text}><code>{visibleText(command)}</code> {why === undefined ? skill.commandEnded(String(exit_code)) : visibleText(why)}</p>)}
          <Part title={skill.instructions}><LongText label={skill.instructions} text={visibleText(event.body)} /></Part>
        </>
      )}
    </Card>
  );
}
