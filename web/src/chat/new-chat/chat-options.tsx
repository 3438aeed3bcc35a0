import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { PERMISSION_MODES, type PermissionMode } from '../../../../src/protocol/permission.ts';
import { useMe, useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { keep, kept } from '../../ui/kept.ts';
import { Problem } from '../../ui/notice.tsx';
import { ModePicker } from '../panel/mode-picker.tsx';
import { ModelPicker } from '../panel/model-picker.tsx';
import fields from '../panel/pickers.module.css';
import styles from './new-chat.module.css';

/** How a chat is to begin; what is empty or undefined is as the settings have it. */
export interface Chosen {
  readonly root: string;
  /** Folder within the root. */
  readonly inside: string;
  readonly cwd: string | undefined;
  readonly model: string;
  readonly mode: PermissionMode | undefined;
  readonly skill: string;
}

/** What was chosen for the next chat; the folder is kept in this browser. */
export function useChosen(): readonly [Chosen, (change: Partial<Chosen>) => void] {
  const { data: me } = useMe();
  const roots = me?.roots ?? [];
  const [chosen, setChosen] = useState<Omit<Chosen, 'cwd'>>(() => ({ root: kept('chat.root') ?? '', inside: kept('chat.inside') ?? '', model: '', mode: undefined, skill: '' }));
  const root = roots.includes(chosen.root) ? chosen.root : roots[0] ?? '';
  const cwd = root === '' ? undefined : folderIn(root, chosen.inside.trim());
  const change = (given: Partial<Chosen>): void => {
    if (given.root !== undefined) keep('chat.root', given.root);
    if (given.inside !== undefined) keep('chat.inside', given.inside);
    setChosen((before) => ({ ...before, ...given }));
  };
  return [{ ...chosen, root, cwd }, change];
}

/** Whole paths are taken as they are. */
function folderIn(root: string, inside: string): string {
  if (inside === '') return root;
  if (/^([/\\]|[A-Za-z]:[/\\])/.test(inside)) return inside;
  return `${root.replace(/[/\\]$/, '')}${root.includes('\\') ? '\\' : '/'}${inside}`;
}

/** Folder, model, permissions and skill of the chat that is about to begin. `onFolder` is told whether the server refuses the folder. */
export function ChatOptions({ chosen, choose, onFolder }: { readonly chosen: Chosen; readonly choose: (change: Partial<Chosen>) => void; readonly onFolder: (isWrong: boolean) => void }): ReactNode {
  const { words: { chat: { fresh: words, modes } } } = useLanguage();
  const server = useServer();
  const { cwd } = chosen;
  const settings = useQuery({ queryKey: ['settings', cwd], queryFn: ({ signal }) => server.listSettings({ ...(cwd === undefined ? {} : { query: { cwd } }), signal }), staleTime: 30_000 });
  useEffect(() => onFolder(settings.isError), [onFolder, settings.isError]);
  // Where the folder is refused, what could be chosen for it is not known.
  const folder = settings.isError ? chosen.root : cwd;
  const set = (key: string): unknown => settings.data?.settings.find((setting) => setting.key === key)?.value;
  const model = set('model');
  const mode = PERMISSION_MODES.find((name) => name === set('permissions.mode'));
  return (
    <section aria-label={words.options} className={styles.options}>
      <FolderPicker chosen={chosen} choose={choose} error={settings.error} />
      <ModelPicker cwd={folder} value={chosen.model} none={typeof model === 'string' ? words.bySettings(model) : words.byDefault} onChange={(model) => choose({ model })} />
      <ModePicker value={chosen.mode} usual={mode} none={mode === undefined ? words.byDefault : words.bySettings(modes[mode].name)} onChange={(mode) => choose({ mode })} />
      <SkillPicker cwd={folder} value={chosen.skill} onChange={(skill) => choose({ skill })} />
    </section>
  );
}

function FolderPicker({ chosen, choose, error }: { readonly chosen: Chosen; readonly choose: (change: Partial<Chosen>) => void; readonly error: unknown }): ReactNode {
  const { words: { chat: { fresh: words } } } = useLanguage();
  const { data: me } = useMe();
  const [inside, setInside] = useState(chosen.inside);
  const id = useId();
  return (
    <>
      <div className={fields.field}>
        <label htmlFor={id}>{words.folder}</label>
        <select id={id} value={chosen.root} onChange={({ target }) => choose({ root: target.value })}>{(me?.roots ?? []).map((root) => <option key={root}>{root}</option>)}</select>
      </div>
      <div className={fields.field}>
        <label htmlFor={`${id}-inside`}>{words.inside}</label>
        <input id={`${id}-inside`} value={inside} autoComplete="off" spellCheck={false} onChange={({ target }) => setInside(target.value)} onBlur={() => choose({ inside })} onKeyDown={({ key }) => key === 'Enter' && choose({ inside })} />
        <Problem error={error} />
      </div>
    </>
  );
}

function SkillPicker({ cwd, value, onChange }: { readonly cwd: string | undefined; readonly value: string; readonly onChange: (skill: string) => void }): ReactNode {
  const { words: { chat: { fresh: words } } } = useLanguage();
  const server = useServer();
  const id = useId();
  const skills = useQuery({ queryKey: ['skills', cwd], queryFn: ({ signal }) => server.listSkills({ ...(cwd === undefined ? {} : { query: { cwd } }), signal }), staleTime: 10_000 });
  const usable = (skills.data?.skills ?? []).filter(({ enabled, status }) => enabled && (status === 'loaded' || status === 'repaired'));
  return (
    <div className={fields.field}>
      <label htmlFor={id}>{words.skill}</label>
      <select id={id} value={value} aria-describedby={`${id}-help`} onChange={({ target }) => onChange(target.value)}>
        <option value="">{words.noSkill}</option>
        {usable.map((skill) => <option key={skill.id} value={skill.id}>{skill.id}</option>)}
      </select>
      <p id={`${id}-help`} className={fields.means}>{words.skillHelp}</p>
      <Problem error={skills.error} />
    </div>
  );
}
