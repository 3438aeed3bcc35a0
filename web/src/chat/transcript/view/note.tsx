import type { ReactNode } from 'react';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { NoteEvent, NoteItem } from '../../../../../src/protocol/transcript/transcript.ts';
import { Card } from './card.tsx';
import { LongText } from './long-text.tsx';
import { Line } from './note-line.tsx';
import { SkillNote } from './skill-note.tsx';
import { TodosNote } from './todos-note.tsx';
import { TurnEnd } from './turn-end.tsx';
import styles from './note.module.css';

/** A line on something that has happened. */
export function Note({ item: { key, event } }: { readonly item: NoteItem }): ReactNode {
  const { words: { transcript }, language } = useLanguage();
  const number = (value: number): string => value.toLocaleString(language);
  switch (event.type) {
    case 'skill.activated': return <SkillNote id={key} event={event} />;
    case 'skill.deactivated': return <Line sign="◇">{transcript.skill.unloaded} <strong>{visibleText(event.skill_id)}</strong></Line>;
    case 'todos.updated': return <TodosNote id={key} event={event} />;
    case 'turn.completed': return <TurnEnd event={event} />;
    case 'message.added': return <TextNote id={key} head={event.by === 'stop_hook' ? transcript.byStopHook : transcript.byProgram} text={event.text} />;
    case 'context.compacted': return <TextNote id={key} head={transcript.compacted(number(event.before_tokens), number(event.after_tokens))} text={event.summary} />;
    case 'model.changed': return <Line sign="⇄">{transcript.modelNow}: <strong>{visibleText(event.model)}</strong></Line>;
    case 'mode.changed': return <Line sign="⇄">{transcript.modeNow}: <strong>{transcript.modes[event.mode]}</strong></Line>;
    case 'sandbox.changed': return <Line sign="⇄">{transcript.sandboxNow}: <strong>{transcript.sandbox[event.sandbox]}</strong></Line>;
    case 'warning': return <Line sign="⚠" tone="warn">{visibleText(event.message)}</Line>;
    case 'model.retried': return <Line sign="↻" tone="warn">{transcript.retried(event.attempt, visibleText(event.status), new Intl.NumberFormat(language, { style: 'unit', unit: 'second', maximumFractionDigits: 1 }).format(event.wait_ms / 1_000))}</Line>;
    case 'turn.resumed': return <Line sign="↻">{transcript.resumed}</Line>;
    case 'background.lost': return <Line sign="⚠" tone="warn">{transcript.backgroundLost(event.bash_ids.join(', '))}</Line>;
    case 'session.forked': return <Line sign="⑂">{transcript.forked} <code>{event.parent_id}</code></Line>;
    case 'hook.completed': return <HookNote event={event} />;
  }
}

function HookNote({ event: { event, source, status, message, updated_input } }: { readonly event: Extract<NoteEvent, { type: 'hook.completed' }> }): ReactNode {
  const { words: { transcript } } = useLanguage();
  const what = message === undefined ? (updated_input ? transcript.hookChanged : transcript.hookAllowed) : visibleText(message);
  return <Line sign="›" tone={status === 'ok' ? 'quiet' : 'warn'}>{transcript.hook(event, visibleText(source))}{status === 'ok' ? '' : ` (${transcript.hookStatus[status]})`}: {what}</Line>;
}

function TextNote({ id, head, text }: { readonly id: string; readonly head: string; readonly text: string }): ReactNode {
  if (text === '') return <Line sign="≡">{head}</Line>;
  return <Card id={id} head={<span className={styles.head}>{head}</span>}>{() => <LongText label={head} text={visibleText(text)} />}</Card>;
}
