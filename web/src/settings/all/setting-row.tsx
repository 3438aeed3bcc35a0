import { useState, type ReactNode } from 'react';
import type { ApiSetting } from '../../../../src/api/settings-endpoints.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Overridden, useLayerName } from '../overridden.tsx';
import styles from '../settings.module.css';
import { useMayChange } from '../use-settings.ts';
import look from './all-settings.module.css';
import { shownValue } from './shown-value.ts';
import { ValueForm } from './value-form.tsx';

/** A setting; its value is edited in place. */
export function SettingRow({ setting, description }: { readonly setting: ApiSetting; readonly description: string }): ReactNode {
  const { words: { settings: { all: words, edit } } } = useLanguage();
  const layerName = useLayerName();
  const may = useMayChange(setting.key);
  const [isOpen, setOpen] = useState(false);
  const { key, value, origins } = setting;
  return (
    <>
      <tr>
        <th scope="row"><span className={styles.mono}>{key}</span><p className={styles.help}>{description}</p></th>
        <td className={styles.mono}>{shownValue(value)}</td>
        <td>{origins.length === 0 ? <Badge>{layerName(setting.layer)}</Badge> : origins.map(({ layer, file }) => <Badge key={`${layer} ${file ?? ''}`} tone={layer === 'default' ? 'quiet' : 'accent'} title={file}>{layerName(layer)}</Badge>)}</td>
        <td>{may ? <Button aria-expanded={isOpen} aria-label={words.editOf(key)} onClick={() => setOpen(!isOpen)}>{edit}</Button> : null}</td>
      </tr>
      {isOpen ? <tr><td colSpan={4} className={look.editor}><Overridden setting={setting} /><ValueForm setting={setting} onDone={() => setOpen(false)} /></td></tr> : null}
    </>
  );
}
