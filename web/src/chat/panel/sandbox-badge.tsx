import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { SandboxState } from '../../../../src/protocol/events.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import styles from './panel.module.css';

const TONES = { isolated: 'ok', limited: 'warn', 'not isolated': 'danger' } as const;

/** Whether commands of a chat run in a sandbox; pressed it says what that means, and what the server has found. */
export function SandboxBadge({ state }: { readonly state: SandboxState }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.badge} title={words.sandboxMeans[state]} onClick={() => setOpen(true)}><Badge tone={TONES[state]}>{words.sandboxName[state]}</Badge></button>
      {isOpen ? <Dialog title={words.sandbox} onClose={() => setOpen(false)}><p>{words.sandboxMeans[state]}</p><Trial /></Dialog> : null}
    </>
  );
}

function Trial(): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  const server = useServer();
  const trial = useQuery({ queryKey: ['sandbox'], queryFn: ({ signal }) => server.showSandbox({ signal }), staleTime: 60_000 });
  if (!trial.data) return trial.isError ? <Problem error={trial.error} /> : <Loading />;
  const { state, mechanism, reason, remedy } = trial.data;
  return (
    <>
      <h3>{words.sandboxTried}</h3>
      <p><Badge tone={TONES[state]}>{words.sandboxName[state]}</Badge> {mechanism}</p>
      {reason === undefined ? null : <p>{words.reason}: {reason}</p>}
      {remedy === undefined ? null : <p>{words.remedy}: {remedy}</p>}
    </>
  );
}
