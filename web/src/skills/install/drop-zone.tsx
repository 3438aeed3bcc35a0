import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import forms from '../forms.module.css';

/** Takes files that are dropped anywhere in the window; a browser would open them in the place of the page. */
export function DropZone({ onDrop }: { readonly onDrop: (files: readonly File[]) => void }): ReactNode {
  const { words: { skills: { install: words } } } = useLanguage();
  const [isOver, setOver] = useState(false);
  const take = useRef(onDrop);
  useEffect(() => {
    take.current = onDrop;
  }, [onDrop]);
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = ({ relatedTarget }: DragEvent): void => {
      if (relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      setOver(false);
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take.current(files);
    };
    const listeners = [['dragenter', over], ['dragover', over], ['dragleave', leave], ['drop', drop]] as const;
    for (const [name, listener] of listeners) window.addEventListener(name, listener);
    return () => {
      for (const [name, listener] of listeners) window.removeEventListener(name, listener);
    };
  }, []);
  return isOver ? <div className={forms.over}>{words.dropHere}</div> : null;
}
