import { useContext, type ReactNode } from 'react';
import type { DocumentPart, ImagePart } from '../../../../../src/protocol/content.ts';
import { visibleText } from '../../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import type { PersonItem } from '../../../../../src/protocol/transcript/transcript.ts';
import { RewindContext } from '../../rewind/rewind-context.ts';
import { StoredPicture } from './stored-picture.tsx';
import styles from './person-message.module.css';

/** What the person has sent: the text as it was typed, pictures, names of documents. */
export function PersonMessage({ item }: { readonly item: PersonItem }): ReactNode {
  const { words } = useLanguage();
  const rewind = useContext(RewindContext);
  const { seq } = item;
  return (
    <article className={styles.message} aria-label={words.transcript.you}>
      {item.text === '' ? null : <p className={styles.text}>{item.text}</p>}
      {item.attachments.map((part, place) => <Attachment key={place} part={part} />)}
      {rewind && seq !== undefined ? <button type="button" className={styles.rewind} aria-label={words.chat.rewind.here} title={words.chat.rewind.here} onClick={() => rewind(seq)}>↩</button> : null}
    </article>
  );
}

function Attachment({ part }: { readonly part: ImagePart | DocumentPart }): ReactNode {
  const { words } = useLanguage();
  return part.type === 'image' ? <StoredPicture part={part} /> : <p className={styles.document}>{words.transcript.document}: {visibleText(part.name ?? part.media_type)}</p>;
}
