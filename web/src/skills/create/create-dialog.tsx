import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Labelled } from '../../ui/labelled.tsx';
import { Problem } from '../../ui/notice.tsx';
import { ScopeChoice, type Scope } from '../scope-choice.tsx';
import { skillAddress, type Folder } from '../use-folder.ts';
import forms from '../forms.module.css';

/** Makes a skill of the person's own words. */
export function CreateDialog({ folder, onClose }: { readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { app, skills: { create: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [skill, setSkill] = useState<{ readonly name: string; readonly description: string; readonly instructions: string; readonly source: Scope }>({ name: '', description: '', instructions: '', source: 'user' });
  const create = useMutation({
    mutationFn: () => server.createSkill({ body: { ...folder.here, name: skill.name.trim(), description: skill.description.trim(), source: skill.source, ...(skill.instructions.trim() === '' ? {} : { instructions: skill.instructions }) } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['skills'] });
      onClose();
      navigate(skillAddress(folder, id));
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    create.mutate();
  };
  return (
    <Dialog title={words.title} onClose={onClose}>
      <form className={forms.form} onSubmit={submit}>
        <Labelled label={words.name} help={words.nameHelp}><input required maxLength={64} autoComplete="off" spellCheck={false} value={skill.name} onChange={({ target }) => setSkill({ ...skill, name: target.value })} /></Labelled>
        <Labelled label={words.description} help={words.descriptionHelp}><textarea required maxLength={2_000} rows={3} value={skill.description} onChange={({ target }) => setSkill({ ...skill, description: target.value })} /></Labelled>
        <Labelled label={words.instructions} help={words.instructionsHelp}><textarea rows={9} className={forms.code} value={skill.instructions} onChange={({ target }) => setSkill({ ...skill, instructions: target.value })} /></Labelled>
        <ScopeChoice scope={skill.source} folder={folder} onChange={(source) => setSkill({ ...skill, source })} />
        <Problem error={create.error} />
        <div className={forms.buttons}>
          <Button onClick={onClose}>{app.cancel}</Button>
          <Button kind="main" type="submit" disabled={create.isPending}>{words.make}</Button>
        </div>
      </form>
    </Dialog>
  );
}
