import { useState, type ReactNode } from 'react';
import type { StoredEvent } from '../../../../src/protocol/events.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { eventJson } from './event-json.ts';
import { eventText } from './event-text.ts';
import styles from './replay.module.css';

/** What is shown of the text of one event. */
const MOST_CHARS = 1_200;

/** One event as a line; its JSON opens below. */
export function EventRow({ event, isCurrent }: { readonly event: StoredEvent; readonly isCurrent: boolean }): ReactNode {
  const { words: { sessions: { replay: words } } } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const text = visibleText(eventText(event));
  return (
    <div className={styles.event} aria-current={isCurrent ? 'step' : undefined}>
      <span className={styles.number}>{event.seq}</span>
      <div className={styles.said}>
        <span className={styles.kind}>
          <Badge tone={event.type === 'turn.started' ? 'accent' : event.type === 'warning' || event.type === 'model.retried' ? 'warn' : 'quiet'}>{words.types[event.type]}</Badge>
          <time dateTime={event.time}>{event.time.slice(11, 19)}</time>
          <button type="button" className={styles.opens} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>JSON</button>
        </span>
        {text === '' ? null : <p className={styles.text}>{text.slice(0, MOST_CHARS)}{text.length > MOST_CHARS ? '…' : ''}</p>}
        {isOpen ? <pre className={styles.json} tabIndex={0}>{visibleText(eventJson(event))}</pre> : null}
      </div>
    </div>
  );
}
