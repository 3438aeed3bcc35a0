import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { BodyOf } from '../../../../src/api/endpoint.ts';
import type { API } from '../../../../src/api/api.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Problem } from '../../ui/notice.tsx';
import type { LiveSession } from '../session/live-session.ts';
import { ModePicker } from './mode-picker.tsx';
import { ModelPicker } from './model-picker.tsx';
import styles from './panel.module.css';

/** The model and the permission mode of a chat, which can be changed while it is idle. */
export function SessionSettings({ session: { id, state }, isBusy }: { readonly session: LiveSession; readonly isBusy: boolean }): ReactNode {
  const { words: { chat: { panel: words } } } = useLanguage();
  const server = useServer();
  const change = useMutation({ mutationFn: (body: BodyOf<(typeof API)['changeSession']>) => server.changeSession({ id, body }) });
  const disabled = isBusy || change.isPending;
  return (
    <section className={styles.part}>
      <h2>{words.settings}</h2>
      <ModelPicker cwd={state.cwd === '' ? undefined : state.cwd} value={state.model} disabled={disabled} onChange={(model) => change.mutate({ model })} />
      <ModePicker value={state.permission_mode} disabled={disabled} onChange={(mode) => mode !== undefined && change.mutate({ mode })} />
      {isBusy ? <p className={styles.quiet}>{words.busy}</p> : null}
      <Problem error={change.error} />
    </section>
  );
}
