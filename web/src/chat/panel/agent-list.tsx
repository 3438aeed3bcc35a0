import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { AgentRun } from '../../../../src/protocol/session-state.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import styles from './panel.module.css';
import { useShown } from './use-shown.ts';

const MOST_SHOWN = 20;

/** The latest sub-agents of a chat, each with a way to its own. */
export function AgentList({ runs }: { readonly runs: readonly AgentRun[] }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  return (
    <section className={styles.part}>
      <h2>{words.agents}</h2>
      <ul className={styles.list}>{runs.slice(-MOST_SHOWN).reverse().map((run) => <Agent key={run.task_id} run={run} />)}</ul>
    </section>
  );
}

function Agent({ run: { child_id, agent_type, background, status } }: { readonly run: AgentRun }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  const isBeside = background === true && status === 'running';
  const shown = useShown(child_id, isBeside);
  // The chat that has started it hears of its end with its next turn.
  const now = isBeside ? shown.data?.status ?? status : status;
  return (
    <li className={styles.item}>
      <span className={styles.itemText}><Link href={`/chat/${encodeURIComponent(child_id)}`}>{agent_type}</Link>{background ? <span className={styles.quiet}>{words.background}</span> : null}</span>
      <Badge tone={now === 'waiting' ? 'warn' : now === 'running' ? 'accent' : now === 'failed' ? 'danger' : 'quiet'}>{words.agent[now]}</Badge>
    </li>
  );
}
