import { useMutation } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import type { ExecutionRecord } from '../../../../src/protocol/execution.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { useAbort } from '../../ui/use-abort.ts';
import type { Folder } from '../use-folder.ts';
import forms from '../forms.module.css';

/** Runs a script of a skill and shows how it went. */
export function RunDialog({ skill: { id, name, files }, folder, onClose }: { readonly skill: ApiSkill; readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { skills: { run: words } } } = useLanguage();
  const server = useServer();
  const scripts = files.filter(({ kind }) => kind === 'script').map(({ path }) => path);
  const [given, setGiven] = useState({ script: scripts[0] ?? '', args: '', stdin: '' });
  const { begin, abort } = useAbort();
  const run = useMutation({
    mutationFn: () => server.runSkillScript({ id, signal: begin(), body: { ...folder.here, script: given.script, args: given.args.split('\n').filter((line) => line !== ''), ...(given.stdin === '' ? {} : { stdin: given.stdin }) } }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    run.mutate();
  };
  return (
    <Dialog title={words.title(visibleText(name))} onClose={onClose}>
      <form className={forms.form} onSubmit={submit}>
        <Labelled label={words.script}><select value={given.script} onChange={({ target }) => setGiven({ ...given, script: target.value })}>{scripts.map((path) => <option key={path} value={path}>{visibleText(path)}</option>)}</select></Labelled>
        <Labelled label={words.args} help={words.argsHelp}><textarea rows={2} className={forms.code} spellCheck={false} value={given.args} onChange={({ target }) => setGiven({ ...given, args: target.value })} /></Labelled>
        <Labelled label={words.stdin}><textarea rows={2} className={forms.code} spellCheck={false} value={given.stdin} onChange={({ target }) => setGiven({ ...given, stdin: target.value })} /></Labelled>
        <div className={forms.buttons}>
          {run.isPending ? <Button onClick={abort}>{words.stop}</Button> : null}
          <Button kind="main" type="submit" disabled={run.isPending}>{words.start}</Button>
        </div>
      </form>
      {run.isPending ? <Loading what={words.running} /> : null}
      {run.error?.name === 'AbortError' ? <Notice tone="warn">{words.stopped}</Notice> : <Problem error={run.error} />}
      {run.data && !run.isPending ? <Outcome record={run.data} /> : null}
    </Dialog>
  );
}

function Outcome({ record: { stdout, stderr, exitCode, durationMs, truncated, notes = [], error } }: { readonly record: ExecutionRecord }): ReactNode {
  const { words: { skills: { run: words } } } = useLanguage();
  return (
    <section className={forms.form} aria-label={words.outcome}>
      <div className={forms.row} role="status">
        <Badge tone={exitCode === 0 ? 'ok' : 'danger'}>{exitCode === null ? words.noCode : words.code(exitCode)}</Badge>
        <span className={forms.quiet}>{words.took(durationMs)}</span>
        {truncated ? <Badge tone="warn">{words.truncated}</Badge> : null}
      </div>
      {error ? <Notice tone="danger">{error.message}</Notice> : null}
      {notes.map((note) => <Notice key={note} tone="warn">{note}</Notice>)}
      {stdout === '' ? null : <><h3>{words.stdout}</h3><pre className={forms.output} tabIndex={0}>{visibleText(stdout)}</pre></>}
      {stderr === '' ? null : <><h3>{words.stderr}</h3><pre className={forms.output} tabIndex={0}>{visibleText(stderr)}</pre></>}
    </section>
  );
}
