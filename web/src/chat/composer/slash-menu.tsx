import type { ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import type { Slash, SlashChoice } from './use-slash.ts';
import styles from './composer.module.css';

/** The skills that fit what was typed. The focus stays in the text; `id` joins the two. */
export function SlashMenu({ id, slash: { choices, at }, onChoose }: { readonly id: string; readonly slash: Slash; readonly onChoose: (choice: SlashChoice) => void }): ReactNode {
  const { words: { chat: { composer: words } } } = useLanguage();
  return (
    <ul id={id} role="listbox" aria-label={words.skills} className={styles.menu}>
      {choices.map((choice, index) => (
        <li key={choice.name} id={`${id}-${index}`} role="option" aria-selected={index === at} className={styles.choice} onPointerDown={(event) => event.preventDefault()} onClick={() => onChoose(choice)}>
          <strong>/{choice.name}</strong> <span>{choice.description}</span>
        </li>
      ))}
    </ul>
  );
}
