import type { ReactNode } from 'react';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { NoteEvent } from '../../../../../src/protocol/transcript/transcript.ts';
import { Line } from './note-line.tsx';
import { UsageLine } from './usage-line.tsx';
import styles from './turn-end.module.css';

/** How a turn ended, and what it took. */
export function TurnEnd({ event: { status, error, usage, cost_usd } }: { readonly event: Extract<NoteEvent, { type: 'turn.completed' }> }): ReactNode {
  const { words: { transcript: { end } } } = useLanguage();
  if (status === 'waiting') return <Line sign="…" tone="warn">{end.waiting}</Line>;
  const isPlain = status === 'done' || status === 'cancelled';
  const isFree = usage.input + usage.cache_read + usage.cache_write + usage.output === 0;
  const used = isFree ? null : <UsageLine usage={usage} costUsd={cost_usd} />;
  if (isPlain) return <Line sign={status === 'done' ? '✓' : '■'}>{end[status]}{used ? <> · {used}</> : null}</Line>;
  return <><p className={[styles.why, styles[status]].join(' ')}>{error === undefined ? end[status] : visibleText(error.message)}</p>{used ? <Line sign="■">{used}</Line> : null}</>;
}
