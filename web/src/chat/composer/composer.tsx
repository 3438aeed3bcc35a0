import { useEffect, useId, useLayoutEffect, useRef, useState, type DragEvent, type KeyboardEvent, type ReactNode } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { Button } from '../../ui/button.tsx';
import { Notice, Problem } from '../../ui/notice.tsx';
import { Icon } from '../layout/icon.tsx';
import { AttachmentList } from './attachment-list.tsx';
import { ACCEPTED } from './attachment.ts';
import styles from './composer.module.css';
import { focusMessage } from './focus-message.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { SlashMenu } from './slash-menu.tsx';
import { useMessage } from './use-message.ts';
import { useSlash, type SlashChoice } from './use-slash.ts';

interface ComposerProps {
  /** Under which an unfinished text is kept in this browser. */
  readonly draft: string;
  /** Folder whose skills can be called. */
  readonly cwd: string | undefined;
  /** What a message would come upon. */
  readonly turn: 'none' | 'running' | 'waiting';
  readonly onSend: (message: OutgoingMessage) => Promise<unknown>;
  readonly onStop?: () => void;
}

/** Where messages are written: Enter sends, Shift+Enter makes a line, `/` completes skills; pictures come by paste, drop or button. */
export function Composer({ draft, cwd, turn, onSend, onStop }: ComposerProps): ReactNode {
  const { words: { chat: { composer: words } } } = useLanguage();
  const message = useMessage(draft, onSend);
  const slash = useSlash(message.text, cwd);
  const field = useRef<HTMLTextAreaElement>(null);
  const menu = useId();
  const { text, setText, attachments } = message;
  const isMenuOpen = slash.choices.length > 0;
  useGrowing(field, text);
  useEffect(focusMessage, []);
  const complete = (choice?: SlashChoice): void => {
    setText(slash.completed(choice));
    field.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // The Enter that ends a composition belongs to the input method.
    if (event.nativeEvent.isComposing || event.keyCode === COMPOSING) return;
    const act = isMenuOpen ? menuKeys({ slash, complete })[event.key] : undefined;
    const send = event.key === 'Enter' && !event.shiftKey ? message.send : undefined;
    const chosen = event.shiftKey ? undefined : act ?? send;
    if (!chosen) return;
    event.preventDefault();
    chosen();
  };
  return (
    <DropPlace onFiles={attachments.add}>
      <Problem error={message.error} />
      {attachments.problem === undefined ? null : <Notice tone="danger">{attachments.problem}</Notice>}
      {isMenuOpen ? <SlashMenu id={menu} slash={slash} onChoose={complete} /> : null}
      <div className={styles.box}>
        <AttachmentList attachments={attachments} />
        <textarea
          ref={field} data-message rows={1} value={text} readOnly={message.isSending} aria-label={words.label} placeholder={words[PLACEHOLDERS[turn]]}
          aria-autocomplete="list" aria-describedby={`${menu}-hint`} {...(isMenuOpen ? { 'aria-controls': menu, 'aria-activedescendant': `${menu}-${slash.at}` } : {})}
          onChange={({ target }) => setText(target.value)} onKeyDown={onKeyDown}
          onPaste={({ clipboardData }) => attachments.add([...clipboardData.files])}
        />
        <div className={styles.actions}>
          <FileButton onFiles={attachments.add} />
          <p id={`${menu}-hint`} className={[styles.hint, turn === 'none' ? styles.usual : ''].join(' ')}>{words[HINTS[turn]]}</p>
          {onStop && turn === 'running' ? <Button kind="danger" onClick={onStop}><Icon name="stop" /> {words.stop}</Button> : null}
          <Button kind="main" disabled={!message.canSend} onClick={message.send}>{message.isSending ? words.sending : words.send}</Button>
        </div>
      </div>
    </DropPlace>
  );
}

/** What browsers say of a key that an input method has taken. */
const COMPOSING = 229;
const PLACEHOLDERS = { none: 'placeholder', running: 'running', waiting: 'waiting' } as const;
const HINTS = { none: 'hint', running: 'runningHint', waiting: 'waitingHint' } as const;

function menuKeys({ slash, complete }: { readonly slash: ReturnType<typeof useSlash>; readonly complete: () => void }): Readonly<Record<string, () => void>> {
  return { ArrowDown: () => slash.move(1), ArrowUp: () => slash.move(-1), Enter: complete, Tab: complete, Escape: slash.close };
}

/** The field is as high as its text, up to what its style allows. */
function useGrowing(field: { readonly current: HTMLTextAreaElement | null }, text: string): void {
  useLayoutEffect(() => {
    const { current } = field;
    if (!current) return;
    current.style.height = 'auto';
    current.style.height = `${current.scrollHeight + 2}px`;
  }, [field, text]);
}

function FileButton({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }): ReactNode {
  const { words: { chat: { composer: words } } } = useLanguage();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={chooser} type="file" hidden multiple accept={ACCEPTED}
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          // The same file can then be chosen again.
          target.value = '';
        }}
      />
      <Button kind="plain" className={styles.attach} aria-label={words.attach} title={words.attach} onClick={() => chooser.current?.click()}><Icon name="add" /></Button>
    </>
  );
}

function DropPlace({ onFiles, children }: { readonly onFiles: (files: readonly File[]) => void; readonly children: ReactNode }): ReactNode {
  const { words: { chat: { composer: words } } } = useLanguage();
  const [isOver, setOver] = useState(false);
  const over = (event: DragEvent): void => {
    if (![...event.dataTransfer.types].includes('Files')) return;
    event.preventDefault();
    setOver(true);
  };
  const drop = (event: DragEvent): void => {
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    setOver(false);
    onFiles([...event.dataTransfer.files]);
  };
  return <div className={styles.composer} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>{isOver ? <p className={styles.drop}>{words.drop}</p> : null}{children}</div>;
}
