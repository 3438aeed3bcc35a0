import { useEffect, useRef, useState, type ChangeEvent, type FormEvent, type ReactNode } from 'react';
import { ServerError } from '../../../../src/client/server-error.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { ScopeChoice, type Scope } from '../scope-choice.tsx';
import type { Folder } from '../use-folder.ts';
import { InstallProgress } from './install-progress.tsx';
import { InstalledList } from './installed-list.tsx';
import { useInstall } from './use-install.ts';
import forms from '../forms.module.css';

const ENDINGS = '.zip,.skill,.skillpack,.tgz,.tar.gz';

/** Installs skills of a file or a source. The first of the files that it is opened with is installed at once. */
export function InstallDialog({ folder, files, onClose }: { readonly folder: Folder; readonly files: readonly File[]; readonly onClose: () => void }): ReactNode {
  const { words: { app, skills: { install: words } } } = useLanguage();
  const { install, sent } = useInstall(folder);
  const [source, setSource] = useState('');
  const [scope, setScope] = useState<Scope>('user');
  const { mutate, isPending, error, data, variables } = install;
  const dropped = useRef(files[0]);
  useEffect(() => {
    const given = dropped.current;
    dropped.current = undefined;
    if (given) mutate({ from: given, scope: 'user', replace: false });
  }, [mutate]);
  const choose = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const [from] = target.files ?? [];
    if (from) mutate({ from, scope, replace: false });
    // The same file can be chosen again, once it was mended.
    target.value = '';
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate({ from: source.trim(), scope, replace: false });
  };
  const leftOut = files.length > 1 ? <Notice tone="warn">{words.oneFile(files.slice(1).map(({ name }) => name).join(', '))}</Notice> : null;
  if (data) return <Dialog title={words.done} onClose={onClose}>{leftOut}<InstalledList result={data} folder={folder} onClose={onClose} /></Dialog>;
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form className={forms.form} onSubmit={submit}>
        <ScopeChoice scope={scope} folder={folder} onChange={setScope} />
        <div className={forms.drop}>
          <span>{words.dropOrChoose}</span>
          <input type="file" aria-label={words.file} accept={ENDINGS} disabled={isPending} onChange={choose} />
        </div>
        <Labelled label={words.source} help={words.sourceHelp}><input required spellCheck={false} autoComplete="off" disabled={isPending} value={source} onChange={({ target }) => setSource(target.value)} /></Labelled>
        <p className={forms.quiet}>{words.nothingRuns}</p>
        {leftOut}
        <Problem error={error} />
        {isPending && variables ? <InstallProgress install={variables} sent={sent} /> : null}
        <div className={forms.buttons}>
          <Button onClick={onClose}>{app.cancel}</Button>
          {variables && error instanceof ServerError && error.code === 'skill_exists' ? <Button kind="danger" onClick={() => mutate({ ...variables, replace: true })}>{words.replace}</Button> : null}
          <Button kind="main" type="submit" disabled={isPending}>{words.start}</Button>
        </div>
      </form>
    </Dialog>
  );
}
