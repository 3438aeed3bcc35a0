import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import { useMe, useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { Toggle } from '../../ui/toggle.tsx';
import { isOwn, type Folder } from '../use-folder.ts';
import { RemoveDialog } from './remove-dialog.tsx';
import { RunDialog } from './run-dialog.tsx';
import { TrustDialog } from './trust-dialog.tsx';
import { useChangeSkill } from './use-skill.ts';
import styles from './skill-view.module.css';

const HERE = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;

/** What can be done with a skill. Its folder can be opened where the browser runs on the server's machine. */
export function SkillActions({ skill, folder }: { readonly skill: ApiSkill; readonly folder: Folder }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const server = useServer();
  const me = useMe();
  const [asks, setAsks] = useState<'trust' | 'run' | 'remove'>();
  const change = useChangeSkill(folder, skill.id);
  const open = useMutation({ mutationFn: () => server.openSkillFolder({ id: skill.id, query: folder.here }) });
  const close = (): void => setAsks(undefined);
  const canRun = skill.status !== 'rejected' && skill.files.some(({ kind }) => kind === 'script');
  return (
    <>
      <div className={styles.actions}>
        {skill.status === 'rejected' ? null : (
          <>
            <Toggle isOn={skill.enabled} label={words.enabled} disabled={change.isPending} onChange={(enabled) => change.mutate({ enabled })} />
            <Button onClick={() => setAsks('trust')}>{skill.trust.trusted ? words.trust.look : words.trust.open}</Button>
          </>
        )}
        {canRun ? <Button onClick={() => setAsks('run')}>{words.run.open}</Button> : null}
        {me.data?.role === 'admin' && HERE.test(window.location.hostname) ? <Button disabled={open.isPending} onClick={() => open.mutate()}>{words.openFolder}</Button> : null}
        {isOwn(skill) ? <Button kind="danger" onClick={() => setAsks('remove')}>{words.remove.open}</Button> : null}
      </div>
      <Problem error={change.error ?? open.error} />
      {asks === 'trust' ? <TrustDialog skill={skill} folder={folder} onClose={close} /> : null}
      {asks === 'run' ? <RunDialog skill={skill} folder={folder} onClose={close} /> : null}
      {asks === 'remove' ? <RemoveDialog skill={skill} folder={folder} onClose={close} /> : null}
    </>
  );
}
