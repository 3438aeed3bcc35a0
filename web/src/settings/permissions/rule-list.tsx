import { useState, type FormEvent, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Problem } from '../../ui/notice.tsx';
import { useLayerName } from '../overridden.tsx';
import styles from '../settings.module.css';
import { useChange, useMayChange, useSetting } from '../use-settings.ts';

const textsOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);

/** The person's rules of one kind, line by line, and those that come from elsewhere. */
export function RuleList({ list }: { readonly list: 'allow' | 'ask' | 'deny' }): ReactNode {
  const { words: { settings: { permissions } } } = useLanguage();
  const layerName = useLayerName();
  const may = useMayChange(`permissions.${list}`);
  const setting = useSetting(`permissions.${list}`);
  const own = textsOf(setting?.own);
  const others = textsOf(setting?.value).filter((rule) => !own.includes(rule));
  const layers = (setting?.origins ?? []).filter(({ layer }) => layer !== 'user');
  const title = permissions[list];
  return (
    <div className={styles.card} role="group" aria-label={title}>
      <div><h2>{title}</h2><p className={styles.help}>{permissions[`${list}Help`]}</p></div>
      {own.length === 0 ? <p className={styles.help}>{permissions.none}</p> : null}
      {own.map((rule, index) => (may ? <RuleLine key={`${index} ${rule}`} list={list} label={permissions.rule(title, index + 1)} rules={own} index={index} /> : <code key={rule} className={styles.mono}>{rule}</code>))}
      {may ? <RuleLine key="new" list={list} label={permissions.newRule(title)} rules={own} index={own.length} /> : null}
      {others.length === 0 ? null : (
        <div>
          <p className={styles.help}>{permissions.elsewhere} {layers.map(({ layer, file }) => <Badge key={layer} title={file}>{layerName(layer)}</Badge>)}</p>
          {others.map((rule) => <div key={rule} className={styles.mono}>{rule}</div>)}
        </div>
      )}
    </div>
  );
}

/** One rule; behind the last one is the place for a new one. What was typed stays until the server has taken it. */
function RuleLine({ list, label, rules, index }: { readonly list: string; readonly label: string; readonly rules: readonly string[]; readonly index: number }): ReactNode {
  const { words: { settings: { permissions, save, add, remove } } } = useLanguage();
  const rule = rules[index];
  const [typed, setTyped] = useState(rule ?? '');
  const change = useChange();
  const write = (next: readonly string[]): void => change.mutate([{ key: `permissions.${list}`, ...(next.length === 0 ? {} : { value: next }) }], { onSuccess: () => rule === undefined && setTyped('') });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    write([...rules.slice(0, index), typed.trim(), ...rules.slice(index + 1)]);
  };
  const isChanged = typed.trim() !== '' && typed.trim() !== rule;
  return (
    <form onSubmit={submit} className={styles.form}>
      <div className={styles.row}>
        <input className={`${styles.grow} ${styles.text}`} aria-label={label} placeholder={rule === undefined ? 'Bash(git status:*)' : undefined} spellCheck={false} autoComplete="off" value={typed} onChange={({ target }) => setTyped(target.value)} />
        {rule === undefined || isChanged ? <Button type="submit" kind={isChanged ? 'main' : 'usual'} disabled={!isChanged || change.isPending} aria-label={`${rule === undefined ? add : save}: ${label}`}>{rule === undefined ? add : save}</Button> : null}
        {rule === undefined ? null : <Button kind="danger" disabled={change.isPending} aria-label={permissions.removeRule(rule)} onClick={() => write(rules.filter((_, each) => each !== index))}>{remove}</Button>}
      </div>
      <Problem error={change.error} />
    </form>
  );
}
