import { useQuery } from '@tanstack/react-query';
import { useId, type ReactNode } from 'react';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Problem } from '../../ui/notice.tsx';
import styles from './pickers.module.css';

interface ModelPickerProps {
  /** Folder whose settings hold. */
  readonly cwd: string | undefined;
  /** `PROVIDER/MODEL`; empty for that of the settings. */
  readonly value: string;
  readonly onChange: (model: string) => void;
  /** What the empty value stands for; it cannot be chosen when left out. */
  readonly none?: string;
  readonly disabled?: boolean;
}

/** Chooses a model. Those that cannot be used yet are named with what they need. */
export function ModelPicker({ cwd, value, onChange, none, disabled = false }: ModelPickerProps): ReactNode {
  const { words: { chat: words } } = useLanguage();
  const server = useServer();
  const field = useId();
  const models = useQuery({ queryKey: ['models', cwd], queryFn: ({ signal }) => server.listModels({ ...(cwd === undefined ? {} : { query: { cwd } }), signal }), staleTime: 30_000 });
  const all = models.data?.models ?? [];
  const [ready, others] = [all.filter((model) => model.ready), all.filter((model) => !model.ready)];
  return (
    <div className={styles.field}>
      <label htmlFor={field}>{words.fresh.model}</label>
      <select id={field} value={value} disabled={disabled} onChange={({ target }) => onChange(target.value)}>
        {none === undefined ? null : <option value="">{none}</option>}
        {value !== '' && all.every(({ name }) => name !== value) ? <option value={value}>{value}</option> : null}
        {ready.map(({ name }) => <option key={name} value={name}>{name}</option>)}
        {others.length === 0 ? null : (
          <optgroup label={words.fresh.notReady}>
            {others.map(({ name, missing }) => <option key={name} value={name} disabled>{missing === undefined ? name : words.fresh.missing(name, missing)}</option>)}
          </optgroup>
        )}
      </select>
      <Problem error={models.error} />
    </div>
  );
}
