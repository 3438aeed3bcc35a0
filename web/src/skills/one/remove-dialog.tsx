import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import type { ApiSkill } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Problem } from '../../ui/notice.tsx';
import type { Folder } from '../use-folder.ts';
import forms from '../forms.module.css';

/** Asks whether a skill is to go, with its files. */
export function RemoveDialog({ skill: { id, name, path, files }, folder, onClose }: { readonly skill: ApiSkill; readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { app, skills: { remove: words } } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const remove = useMutation({
    mutationFn: () => server.removeSkill({ id, query: folder.here }),
    onSuccess: async () => {
      navigate(`/skills${folder.search}`);
      queries.removeQueries({ queryKey: ['skills', folder.path, 'one', id] });
      await queries.invalidateQueries({ queryKey: ['skills', folder.path] });
    },
  });
  return (
    <Dialog title={words.title(visibleText(name))} onClose={onClose}>
      <p>{words.question(files.length)}<br /><code className={forms.quiet}>{visibleText(path)}</code></p>
      <Problem error={remove.error} />
      <div className={forms.buttons}>
        <Button onClick={onClose}>{app.cancel}</Button>
        <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>{words.open}</Button>
      </div>
    </Dialog>
  );
}
