import { useMemo, useState, type FocusEvent, type ReactNode } from 'react';
import { Virtualizer } from 'virtua';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import type { LiveSession } from '../session/live-session.ts';
import { Announcer } from './announcer.tsx';
import { rowsOf, type Row } from './rows.ts';
import type { TranscriptItem } from '../../../../src/protocol/transcript/transcript.ts';
import { useEnd } from './use-end.ts';
import { ItemView } from './view/item-view.tsx';
import { OpenCardsContext } from './view/open-cards.ts';
import styles from './transcript-view.module.css';

/** Gives the card for the request that a call waits for. */
type RenderRequest = (callId: string) => ReactNode;

/** A session, and what gives the card for the request that a call waits for. */
export interface TranscriptViewProps {
  readonly session: LiveSession;
  readonly renderRequest: RenderRequest;
}

/** The conversation, scrolled to its end unless the person has scrolled away from it. `renderRequest` gives the card for the request that a call waits for. It fills what surrounds it. */
export function TranscriptView({ session, renderRequest }: TranscriptViewProps): ReactNode {
  const { words } = useLanguage();
  const isEmpty = session.connection === 'loading' && session.problem === undefined;
  return isEmpty ? <Loading what={words.transcript.loading} /> : <Conversation session={session} renderRequest={renderRequest} />;
}

function Conversation({ session, renderRequest }: TranscriptViewProps): ReactNode {
  const { words } = useLanguage();
  const { transcript: { items }, connection, problem } = session;
  const [known] = useState(() => new WeakMap<TranscriptItem, readonly Row[]>());
  const rows = useMemo(() => rowsOf(items, known), [items, known]);
  const [openCards] = useState(() => new Map<string, boolean>());
  const [focused, setFocused] = useState<string | null>();
  // A row that is taken down would take the focus with it.
  const keepMounted = useMemo(() => [rows.findIndex(({ key }) => key === focused)].filter((place) => place >= 0), [rows, focused]);
  const { box, isKept, toEnd, onScroll, onResize } = useEnd(rows);
  const noteFocus = ({ target }: FocusEvent): void => setFocused(target.closest('[data-row]')?.getAttribute('data-row'));
  return (
    <OpenCardsContext value={openCards}>
      <div className={styles.view}>
        <Announcer transcript={session.transcript} />
        {connection === 'broken' && problem === undefined ? <div className={styles.told}><Notice tone="warn">{words.transcript.broken}</Notice></div> : null}
        {problem === undefined ? null : <div className={styles.told}><Problem error={problem} /></div>}
        <div data-rows ref={box} className={styles.box} role="region" aria-label={words.transcript.conversation} tabIndex={0} onFocus={noteFocus} onScroll={onScroll}>
          {items.length === 0 && problem === undefined ? <p className={styles.empty}>{words.transcript.empty}</p> : null}
          <Virtualizer scrollRef={box} data={rows} keepMounted={keepMounted} bufferSize={600} onResize={onResize}>
            {(row: Row) => <ItemView key={row.key} row={row} request={requestOf(row.item, renderRequest)} />}
          </Virtualizer>
        </div>
        {isKept ? null : <Button className={styles.end} onClick={toEnd}>↓ {words.transcript.toEnd}</Button>}
      </div>
    </OpenCardsContext>
  );
}

function requestOf(item: TranscriptItem, renderRequest: RenderRequest): ReactNode {
  return item.kind === 'call' && item.phase !== 'done' ? renderRequest(item.callId) : null;
}
