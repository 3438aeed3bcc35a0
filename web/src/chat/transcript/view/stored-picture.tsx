import type { ReactNode } from 'react';
import type { ImagePart } from '../../../../../src/protocol/content.ts';
import { useLanguage } from '../../../i18n/language.tsx';
import styles from './stored-picture.module.css';

/** What a page shows; anything else, such as a drawing that can hold scripts, is told by its kind. */
const SHOWN = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** A picture that lies in the event itself. */
export function StoredPicture({ part: { media_type, data } }: { readonly part: ImagePart }): ReactNode {
  const { words } = useLanguage();
  const name = words.transcript.picture(media_type);
  return SHOWN.has(media_type) && BASE64.test(data) ? <img className={styles.picture} src={`data:${media_type};base64,${data}`} alt={name} /> : <p>{name}</p>;
}
