import { useEffect, useState, type ReactNode } from 'react';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { Chat } from './chat.tsx';
import styles from './chat-page.module.css';
import { Icon } from './layout/icon.tsx';
import { Side } from './layout/side.tsx';
import { useMedia } from './layout/use-media.ts';
import { NewChat } from './new-chat/new-chat.tsx';
import { SessionList } from './session-list/session-list.tsx';

/** The page: all chats at the left, and one of them, or the beginning of a new one. */
export function ChatPage({ sessionId }: { readonly sessionId?: string }): ReactNode {
  const { words: { chat: words } } = useLanguage();
  const hasRoom = useMedia('(min-width: 52rem)');
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [sessionId]);
  const opener = hasRoom ? null : <Button kind="plain" aria-label={words.list.open} title={words.list.open} onClick={() => setOpen(true)}><Icon name="list" /></Button>;
  return (
    <div className={styles.page}>
      <Side label={words.list.label} place="left" hasRoom={hasRoom} isOpen={isOpen} onClose={() => setOpen(false)}><SessionList current={sessionId} /></Side>
      {sessionId === undefined ? <div className={styles.chat}>{opener ? <header className={styles.head}>{opener}</header> : null}<NewChat /></div> : <Chat key={sessionId} id={sessionId} opener={opener} />}
    </div>
  );
}
