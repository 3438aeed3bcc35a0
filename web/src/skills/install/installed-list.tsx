import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { API } from '../../../../src/api/api.ts';
import type { AnswerOf } from '../../../../src/api/endpoint.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { skillAddress, type Folder } from '../use-folder.ts';
import forms from '../forms.module.css';

/** What was installed, with what there is to say about it. */
export function InstalledList({ result: { installed, notes }, folder, onClose }: { readonly result: AnswerOf<(typeof API)['installSkill']>; readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { app, skills: { install: words } } } = useLanguage();
  return (
    <div className={forms.form}>
      <Notice tone="ok">{words.lookFirst}</Notice>
      <ul className={forms.list}>
        {installed.map(({ id, name, description, files, replaced, warnings }) => (
          <li key={id}>
            <Link href={skillAddress(folder, id)} onClick={onClose}>{visibleText(name)}</Link> — {words.files(files)}{replaced ? ` · ${words.replaced}` : ''}
            <div className={forms.quiet}>{visibleText(description)}</div>
            {warnings.map((warning) => <div key={warning} className={forms.quiet}>⚠ {visibleText(warning)}</div>)}
          </li>
        ))}
      </ul>
      {notes.map((note) => <Notice key={note} tone="warn">{visibleText(note)}</Notice>)}
      <div className={forms.buttons}><Button kind="main" onClick={onClose}>{app.close}</Button></div>
    </div>
  );
}
