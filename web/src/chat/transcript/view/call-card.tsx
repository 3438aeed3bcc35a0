import type { ReactNode } from 'react';
import { diffRows } from '../../../../../src/protocol/diff-rows.ts';
import type { ResultPart } from '../../../../../src/protocol/content.ts';
import type { JsonObject } from '../../../../../src/protocol/json.ts';
import { meantCall } from '../../../../../src/protocol/meant-call.ts';
import { byWeight, tellingArgument } from '../../../../../src/protocol/telling-argument.ts';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { changeOfInput } from '../change-of-input.ts';
import { outputText } from '../../../../../src/protocol/output-text.ts';
import type { CallItem } from '../../../../../src/protocol/transcript/transcript.ts';
import { Card, Part } from './card.tsx';
import { DiffView } from './diff-view.tsx';
import { Duration } from './duration.tsx';
import { LiveText, LongText } from './long-text.tsx';
import { StoredPicture } from './stored-picture.tsx';
import styles from './call-card.module.css';

const TONES = { requested: 'quiet', waiting: 'warn', running: 'accent', ok: 'ok', error: 'danger', denied: 'warn', interrupted: 'warn' } as const;

/** A call that is made: what, on what, how long, with what result; `request` is what the person is asked about it. */
export function CallCard({ item: call, request }: { readonly item: CallItem; readonly request: ReactNode }): ReactNode {
  const item = { ...call, ...meantCall(call) };
  return (
    <div className={styles.call}>
      <Card id={item.key} head={<CallHead item={item} />} always={<Preview item={item} />} folded={<Why item={item} />} tone={item.status === 'error' ? 'danger' : 'quiet'}>{() => <CallBody item={item} />}</Card>
      {request}
    </div>
  );
}

function CallHead({ item }: { readonly item: CallItem }): ReactNode {
  const { words: { transcript } } = useLanguage();
  const state = item.status ?? (item.phase === 'done' ? 'ok' : item.phase);
  return (
    <>
      <strong className={styles.tool}>{visibleText(item.tool)}</strong>
      <span className={styles.line}>{visibleText(item.invalid ?? tellingArgument(item.input)).replace(/\s+/g, ' ')}</span>
      <span className={styles.state}>
        <Duration item={item} />
        {state === 'ok' ? <span className={styles.ok} title={transcript.status.ok}><span aria-hidden="true">✓</span><span className={styles.hidden}>{transcript.status.ok}</span></span> : <Badge tone={TONES[state]}>{transcript.status[state]}</Badge>}
      </span>
    </>
  );
}

/** What one wants to see without opening the card: what is being said, what has changed, pictures. */
function Preview({ item }: { readonly item: CallItem }): ReactNode {
  const { words: { transcript } } = useLanguage();
  const rows = item.diff === undefined ? (item.phase === 'done' ? undefined : changeOfInput(item.tool, item.input)) : diffRows(item.diff);
  const pictures = item.output.filter((part) => part.type === 'image');
  if (rows && rows.length > 0) return <DiffView label={transcript.changesOf(tellingArgument(item.input))} rows={rows} />;
  if (item.live !== '') return <LiveText label={transcript.output} text={outputText(item.live)} />;
  return pictures.length === 0 ? null : <div className={styles.pictures}>{pictures.map((part, place) => <StoredPicture key={place} part={part} />)}</div>;
}

/** Why a call failed, as far as it is folded. */
function Why({ item: { status, output } }: { readonly item: CallItem }): ReactNode {
  if (status !== 'error' && status !== 'denied') return null;
  return <p className={styles.why}>{outputText(textOf(output)).split('\n').find((line) => line.trim() !== '')}</p>;
}

function CallBody({ item }: { readonly item: CallItem }): ReactNode {
  const { words: { transcript } } = useLanguage();
  const text = outputText(textOf(item.output));
  return (
    <>
      {item.invalid === undefined ? <Part title={transcript.arguments}><Arguments input={item.input} /></Part> : <Part title={transcript.invalidArguments}><LongText label={transcript.invalidArguments} text={visibleText(item.invalid)} /></Part>}
      {item.phase === 'done' ? <Part title={transcript.output}>{text === '' ? <p className={styles.quiet}>{transcript.noOutput}</p> : <LongText label={transcript.output} text={text} />}</Part> : null}
    </>
  );
}

/** Every argument, whole: short ones in a line, others below their name. */
function Arguments({ input }: { readonly input: JsonObject }): ReactNode {
  return (
    <dl className={styles.arguments}>
      {byWeight(input).map(([name, value]) => {
        const text = visibleText(typeof value === 'string' ? value : JSON.stringify(value, null, 2));
        return <div key={name} className={styles.argument}><dt>{visibleText(name)}</dt><dd>{text.length > 200 || text.includes('\n') ? <LongText label={name} text={text} /> : <code>{text}</code>}</dd></div>;
      })}
    </dl>
  );
}

function textOf(parts: readonly ResultPart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : part.type === 'document' ? `[${part.name ?? part.media_type}]` : '')).filter((text) => text !== '').join('\n');
}
