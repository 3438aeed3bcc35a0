import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { RewindPlan } from '../../../../src/protocol/rewind.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { keep } from '../../ui/kept.ts';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import styles from './rewind-dialog.module.css';

/** Shows what going back to before a message would do, and does it. The message stands in the field of the copy, to be changed. */
export function RewindDialog({ id, seq, onClose }: { readonly id: string; readonly seq: number; readonly onClose: () => void }): ReactNode {
  const { words: { chat: { rewind: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [files, setFiles] = useState(true);
  const [conversation, setConversation] = useState(true);
  const [overwrite, setOverwrite] = useState(false);
  const plan = useQuery({ queryKey: ['sessions', 'rewind', id, seq], queryFn: ({ signal }) => server.planRewind({ id, query: { to_seq: String(seq) }, signal }), gcTime: 0 });
  const back = useMutation({
    mutationFn: () => server.rewindSession({ id, body: { to_seq: seq, files, conversation, overwrite } }),
    onSuccess: async ({ session_id }) => {
      if (session_id !== id) {
        keep(`draft.${session_id}`, plan.data?.text ?? '');
        navigate(`/chat/${encodeURIComponent(session_id)}`);
      }
      onClose();
      await queries.invalidateQueries({ queryKey: ['sessions'] });
    },
  });
  const isOthers = plan.data?.files.some(({ state }) => state === 'changed') === true;
  return (
    <Dialog title={words.title} onClose={onClose}>
      {plan.data ? <Planned plan={plan.data} /> : plan.error ? null : <Loading what={words.loading} />}
      <div className={styles.choices}>
        <Toggle isOn={files} label={words.files} onChange={setFiles} />
        {isOthers ? <Toggle isOn={overwrite} disabled={!files} label={words.overwrite} onChange={setOverwrite} /> : null}
        <Toggle isOn={conversation} label={words.conversation} onChange={setConversation} />
      </div>
      <Problem error={plan.error ?? back.error} />
      <Button kind="danger" disabled={!plan.data || back.isPending || (!files && !conversation)} onClick={() => back.mutate()}>{words.now}</Button>
    </Dialog>
  );
}

function Planned({ plan: { text, files, commands } }: { readonly plan: RewindPlan }): ReactNode {
  const { words: { chat: { rewind: words } } } = useLanguage();
  return (
    <div className={styles.plan}>
      <p className={styles.message}>{visibleText(text)}</p>
      {files.length === 0 ? <p>{words.noFiles}</p> : <ul aria-label={words.files}>{files.map(({ path, change, state }) => <li key={path}>{words.change[change]} <code>{visibleText(path)}</code>{state === 'ready' ? null : <em> {words.state[state]}</em>}</li>)}</ul>}
      {commands.length === 0 ? null : <><p>{words.commands}</p><ul>{commands.map((command) => <li key={command}><code>{visibleText(command)}</code></li>)}</ul></>}
    </div>
  );
}
