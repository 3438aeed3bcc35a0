import { useState, type ReactNode } from 'react';
import type { ServerSummary } from '../../../../src/protocol/mcp.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Confirm } from '../confirm.tsx';
import styles from '../settings.module.css';
import { useMay } from '../use-settings.ts';
import { useServerAct } from './use-servers.ts';

const TONES = { ready: 'ok', starting: 'accent', usable: 'accent', failed: 'danger', invalid: 'danger', unapproved: 'warn', disabled: 'quiet', shadowed: 'quiet' } as const;

/** A server with its health, and what may be done with it. */
export function ServerRow({ server }: { readonly server: ServerSummary }): ReactNode {
  const { words: { settings: { servers: words } } } = useLanguage();
  const { name, scope, status, reason, command, url, tools, file, notes = [] } = server;
  const [opened, setOpened] = useState<'approve' | 'remove'>();
  const may = useMay();
  const isOfProject = scope === 'project' && status !== 'unapproved' && status !== 'invalid' && status !== 'shadowed';
  return (
    <li>
      <div className={styles.spread}>
        <div className={styles.row}>
          <h3>{name}</h3>
          <Badge tone={TONES[status]}>{words.status[status]}</Badge>
          {tools === undefined ? null : <Badge>{words.tools(tools)}</Badge>}
          <Badge title={file ?? undefined}>{words.scope[scope]}</Badge>
        </div>
        <div className={styles.row}>
          {status === 'unapproved' && may('approveServer') ? <Button kind="main" aria-label={`${words.look}: ${name}`} onClick={() => setOpened('approve')}>{words.look}</Button> : null}
          {isOfProject && may('revokeServer') ? <Revoke name={name} /> : null}
          {file !== null && may('removeServer') ? <Button kind="danger" onClick={() => setOpened('remove')}>{words.removeOf(name)}</Button> : null}
        </div>
      </div>
      <p className={styles.mono}>{command ?? url}</p>
      {reason === undefined || reason === '' ? null : <p className={styles.help}>{status === 'unapproved' ? words.changed : reason}</p>}
      {notes.map((note) => <p key={note} className={styles.help}>{note}</p>)}
      {opened === 'approve' ? <Approval server={server} onClose={() => setOpened(undefined)} /> : null}
      {opened === 'remove' ? <Removal server={server} onClose={() => setOpened(undefined)} /> : null}
    </li>
  );
}

function Revoke({ name }: { readonly name: string }): ReactNode {
  const { words: { settings: { servers: words } } } = useLanguage();
  const revoke = useServerAct((client, query) => client.revokeServer({ name, query }), () => undefined);
  return <><Button aria-label={`${words.revoke}: ${name}`} disabled={revoke.isPending} onClick={() => revoke.mutate()}>{words.revoke}</Button><Problem error={revoke.error} /></>;
}

/** All that the definition says, before one says yes to it. */
function Approval({ server: { name, digest, definition }, onClose }: { readonly server: ServerSummary; readonly onClose: () => void }): ReactNode {
  const { words: { settings: { servers: words } } } = useLanguage();
  const approve = useServerAct((client, query) => client.approveServer({ name, query, body: { digest } }), onClose);
  return (
    <Confirm title={words.approveTitle(name)} act={approve} onYes={() => approve.mutate()} label={words.approve} kind="main" onClose={onClose}>
      <p>{words.approveHelp}</p>
      <pre className={styles.pre} tabIndex={0}>{JSON.stringify(definition, null, 2)}</pre>
      <p className={styles.help}><span className={styles.mono}>{digest}</span></p>
    </Confirm>
  );
}

function Removal({ server: { name, scope, file }, onClose }: { readonly server: ServerSummary; readonly onClose: () => void }): ReactNode {
  const { words: { settings: { servers: words, remove: label } } } = useLanguage();
  const remove = useServerAct((client, query) => client.removeServer({ name, query: { ...query, scope } }), onClose);
  return <Confirm title={words.removeTitle(name)} act={remove} onYes={() => remove.mutate()} label={label} kind="danger" onClose={onClose}><p>{words.removeHelp(file ?? '')}</p></Confirm>;
}
