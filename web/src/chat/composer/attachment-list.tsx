import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../layout/icon.tsx';
import type { Attachments } from './use-attachments.ts';
import styles from './composer.module.css';

/** The files that will go with the message. */
export function AttachmentList({ attachments: { files, remove } }: { readonly attachments: Attachments }): ReactNode {
  const { words: { chat: { composer: words } } } = useLanguage();
  if (files.length === 0) return null;
  return (
    <ul className={styles.files}>
      {files.map(({ name, media_type, data }, index) => (
        <li key={`${index} ${name}`} className={styles.file}>
          {media_type === 'application/pdf' ? <span aria-hidden="true">PDF</span> : <img src={`data:${media_type};base64,${data}`} alt="" />}
          <span className={styles.fileName}>{name}</span>
          <Button kind="plain" aria-label={words.remove(name)} onClick={() => remove(index)}><Icon name="close" /></Button>
        </li>
      ))}
    </ul>
  );
}
