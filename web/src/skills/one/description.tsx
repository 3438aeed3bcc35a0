import { useState, type FormEvent, type ReactNode } from 'react';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { isOwn, type Folder } from '../use-folder.ts';
import { useChangeSkill } from './use-skill.ts';
import forms from '../forms.module.css';
import styles from './skill-view.module.css';

/** By what a model chooses the skill; the person's own can be changed. */
export function Description({ skill, folder }: { readonly skill: ApiSkill; readonly folder: Folder }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const [edits, setEdits] = useState(false);
  return (
    <section>
      <div className={styles.sectionHead}>
        <h2>{words.description}</h2>
        {isOwn(skill) && skill.status !== 'rejected' && !edits ? <Button kind="plain" onClick={() => setEdits(true)}>{words.edit}</Button> : null}
      </div>
      {edits ? <Editor skill={skill} folder={folder} onClose={() => setEdits(false)} /> : <p className={styles.text}>{visibleText(skill.description)}</p>}
    </section>
  );
}

function Editor({ skill: { id, description }, folder, onClose }: { readonly skill: ApiSkill; readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { app, skills: words } } = useLanguage();
  const [text, setText] = useState(description);
  const change = useChangeSkill(folder, id);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    change.mutate({ description: text.trim() }, { onSuccess: onClose });
  };
  return (
    <form className={forms.form} onSubmit={submit} onKeyDown={({ key }) => key === 'Escape' && onClose()}>
      <textarea autoFocus required aria-label={words.description} rows={4} maxLength={2_000} value={text} onChange={({ target }) => setText(target.value)} />
      <p className={forms.quiet}>{words.descriptionHelp}</p>
      <Problem error={change.error} />
      <div className={forms.buttons}>
        <Button onClick={onClose}>{app.cancel}</Button>
        <Button kind="main" type="submit" disabled={change.isPending}>{words.save}</Button>
      </div>
    </form>
  );
}
