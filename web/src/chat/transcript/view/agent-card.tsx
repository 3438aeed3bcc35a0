import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import { Badge } from '../../../ui/badge.tsx';
import type { AgentCall, AgentRunView } from '../../../../../src/protocol/transcript/transcript.ts';
import { Card, Part } from './card.tsx';
import { LongText } from './long-text.tsx';
import { Markdown } from './markdown.tsx';
import { UsageLine } from './usage-line.tsx';
import styles from './agent-card.module.css';

/** Calls that are seen while the card is folded. */
const LATEST = 3;
const TONES = { running: 'accent', done: 'ok', waiting: 'warn', failed: 'danger', limit: 'warn', cancelled: 'warn' } as const;

/** A sub-agent and what the person is asked for it; `id` is that of the item. */
export interface AgentCardProps {
  readonly id: string;
  readonly agent: AgentRunView;
  readonly request: ReactNode;
}

/** A sub-agent, folded: what it is, what it was told, what it does, what came of it. */
export function AgentCard({ id, agent, request }: AgentCardProps): ReactNode {
  const { words: { transcript: { agent: words } } } = useLanguage();
  const head = (
    <>
      <strong className={styles.type}>{words.name} {visibleText(agent.type)}</strong>
      <span className={styles.about}>{visibleText(agent.description ?? agent.prompt).replace(/\s+/g, ' ')}</span>
      {agent.isBackground ? <span className={styles.background}>{words.background}</span> : null}
      <Badge tone={TONES[agent.status]}>{words.status[agent.status]}</Badge>
    </>
  );
  const latest = agent.status === 'running' && agent.calls.length > 0 ? <div className={styles.latest}><Calls calls={agent.calls.slice(-LATEST)} /></div> : null;
  return (
    <div className={styles.agent}>
      <Card id={id} head={head} always={latest} tone={agent.status === 'failed' ? 'danger' : 'quiet'}>{() => <AgentBody agent={agent} />}</Card>
      {request}
    </div>
  );
}

function AgentBody({ agent }: { readonly agent: AgentRunView }): ReactNode {
  const { words: { transcript } } = useLanguage();
  return (
    <>
      <Part title={transcript.agent.prompt}><LongText label={transcript.agent.prompt} text={visibleText(agent.prompt)} /></Part>
      {agent.calls.length > 0 && agent.status !== 'running' ? <Part title={transcript.agent.calls}><Calls calls={agent.calls} /></Part> : null}
      {agent.result === undefined || agent.result === '' ? null : <Part title={transcript.result}><Markdown text={agent.result} /></Part>}
      <p className={styles.foot}>
        <Link href={`/chat/${agent.childId}`}>{transcript.agent.open}</Link>
        {agent.usage ? <UsageLine usage={agent.usage} costUsd={agent.costUsd} /> : null}
      </p>
    </>
  );
}

const SIGNS: Readonly<Record<AgentCall['status'], string>> = { running: '●', ok: '✓', error: '✕', denied: '⊘', interrupted: '⊘' };

function Calls({ calls }: { readonly calls: readonly AgentCall[] }): ReactNode {
  const { words: { transcript } } = useLanguage();
  return (
    <ul className={styles.calls}>
      {calls.map(({ callId, tool, line, status }, place) => (
        <li key={`${callId} ${place}`}>
          <span role="img" aria-label={transcript.status[status]} className={styles[status]}>{SIGNS[status]}</span>
          <span className={styles.tool}>{visibleText(tool)}</span>
          <span className={styles.about}>{visibleText(line).replace(/\s+/g, ' ')}</span>
        </li>
      ))}
    </ul>
  );
}
