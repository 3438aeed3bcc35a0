import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useLanguage } from '../../i18n/language.tsx';
import type { LiveSession } from '../session/live-session.ts';
import { AgentList } from './agent-list.tsx';
import { ContextMeter } from './context-meter.tsx';
import styles from './panel.module.css';
import { SandboxBadge } from './sandbox-badge.tsx';
import { SessionActions } from './session-actions.tsx';
import { SessionSettings } from './session-settings.tsx';
import { SkillList } from './skill-list.tsx';
import { TodoList } from './todo-list.tsx';

/** What is to be known of a chat beside what was said, and what can be done with it. */
export function SessionPanel({ session }: { readonly session: LiveSession }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  const { id, state } = session;
  const isBusy = state.turn?.status === 'running' || state.turn?.status === 'waiting';
  return (
    <div className={styles.panel}>
      <TodoList todos={state.todos} />
      <SkillList session={session} isBusy={isBusy} />
      {state.agents.size > 0 ? <AgentList runs={[...state.agents.values()]} /> : null}
      <ContextMeter session={session} isBusy={isBusy} />
      <SessionSettings session={session} isBusy={isBusy} />
      <section className={styles.part}><h2>{words.sandbox}</h2><SandboxBadge state={state.sandbox} /></section>
      <section className={styles.part}>
        <h2>{words.folder}</h2>
        <code className={styles.folder}>{state.cwd}</code>
        {state.parent_run ? <p>{words.parent} · <Link href={`/chat/${encodeURIComponent(state.parent_run.session_id)}`}>{words.openParent}</Link></p> : null}
      </section>
      <SessionActions id={id} />
    </div>
  );
}
