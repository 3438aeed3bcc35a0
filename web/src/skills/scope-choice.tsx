import type { ReactNode } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { Labelled } from '../ui/labelled.tsx';
import type { Folder } from './use-folder.ts';

/** Whose skill it becomes. */
export type Scope = 'user' | 'project';

/** Asks where a new skill is to lie. */
export function ScopeChoice({ scope, folder, onChange }: { readonly scope: Scope; readonly folder: Folder; readonly onChange: (scope: Scope) => void }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  return (
    <Labelled label={words.scope.label}>
      <select value={scope} onChange={({ target }) => onChange(target.value === 'project' ? 'project' : 'user')}>
        <option value="user">{words.scope.user}</option>
        <option value="project">{words.scope.project(folder.path ?? '')}</option>
      </select>
    </Labelled>
  );
}
