import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, type ReactNode } from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Link, useLocation } from 'wouter';
import type { StoredEvent } from '../../../../src/protocol/events.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { exportAddress } from '../export-address.ts';
import { EventRow } from './event-row.tsx';
import { readEvents } from './read-events.ts';
import { useSteps } from './use-steps.ts';
import styles from './replay.module.css';

/** A session, one stored event after the other. */
export function Replay({ id }: { readonly id: string }): ReactNode {
  const { words: { sessions: words } } = useLanguage();
  const server = useServer();
  const stored = useQuery({ queryKey: ['sessions', 'export', id], queryFn: async ({ signal }) => readEvents(await server.exportSession({ id, signal })), staleTime: Number.POSITIVE_INFINITY, gcTime: 0 });
  const shown = useQuery({ queryKey: ['sessions', 'one', id], queryFn: ({ signal }) => server.showSession({ id, signal }) });
  return (
    <div className={styles.page}>
      <header className={styles.head}>
        <Link href="/sessions">← {words.back}</Link>
        <h1>{visibleText(shown.data?.title ?? '') || words.untitled}</h1>
        <div className={styles.links}>
          <Link href={`/chat/${encodeURIComponent(id)}`}>{words.resume}</Link>
          <a href={exportAddress(id)} download={`${id}.jsonl`}>{words.save}</a>
        </div>
        <Problem error={stored.error ?? shown.error} />
      </header>
      {stored.data ? <Steps id={id} events={stored.data} /> : stored.error ? null : <Loading what={words.replay.loading} />}
    </div>
  );
}

function Steps({ id, events }: { readonly id: string; readonly events: readonly StoredEvent[] }): ReactNode {
  const { words: { sessions: { replay: words } } } = useLanguage();
  const { step, toStep } = useSteps(events.length);
  const current = events[step - 1];
  if (!current) return <p className={styles.none}>{words.none}</p>;
  return (
    <>
      <div className={styles.controls} role="group" aria-label={words.controls}>
        <Button disabled={step === 1} aria-label={words.previous} title={words.previous} onClick={() => toStep(step - 1)}>←</Button>
        <input type="range" className={styles.slider} aria-label={words.step} aria-valuetext={words.place(step, events.length)} min={1} max={events.length} value={step} onChange={({ target }) => toStep(Number(target.value))} />
        <Button disabled={step === events.length} aria-label={words.next} title={words.next} onClick={() => toStep(step + 1)}>→</Button>
        <span role="status" className={styles.place}>{words.place(step, events.length)}</span>
        <ForkHere key={current.seq} id={id} seq={current.seq} />
      </div>
      <EventsSoFar events={events} step={step} />
    </>
  );
}

function ForkHere({ id, seq }: { readonly id: string; readonly seq: number }): ReactNode {
  const { words: { sessions: { replay: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const fork = useMutation({
    mutationFn: () => server.forkSession({ id, body: { at_seq: seq } }),
    onSuccess: async (made) => {
      navigate(`/chat/${encodeURIComponent(made.id)}`);
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  return <><Button disabled={fork.isPending} onClick={() => fork.mutate()}>{words.fork}</Button><Problem error={fork.error} /></>;
}

function EventsSoFar({ events, step }: { readonly events: readonly StoredEvent[]; readonly step: number }): ReactNode {
  const { words: { sessions: { replay: words } } } = useLanguage();
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  useEffect(() => {
    list.current?.scrollToIndex(step - 1, { align: 'end' });
  }, [step]);
  return (
    <div data-rows ref={scroller} className={styles.events} role="region" aria-label={words.events} tabIndex={0}>
      <Virtualizer ref={list} as="ol" item="li" scrollRef={scroller} data={events.slice(0, step)} itemSize={90}>
        {(event, index) => <EventRow key={event.seq} event={event} isCurrent={index === step - 1} />}
      </Virtualizer>
    </div>
  );
}
