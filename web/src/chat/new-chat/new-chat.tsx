import { useQueryClient } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { useLocation } from 'wouter';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Composer } from '../composer/composer.tsx';
import type { OutgoingMessage } from '../composer/outgoing-message.ts';
import { bodyOf } from '../composer/body-of.ts';
import { ChatOptions, useChosen } from './chat-options.tsx';
import styles from './new-chat.module.css';

/** Where a chat begins: what is to be done, and how. The first message makes the session. */
export function NewChat(): ReactNode {
  const { words: { chat: words } } = useLanguage();
  const server = useServer();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const [chosen, choose] = useChosen();
  const [isFolderWrong, setFolderWrong] = useState(false);
  const made = useRef<{ readonly of: string; readonly id: string }>(undefined);
  const { cwd, model, mode, skill } = chosen;
  const begin = async (message: OutgoingMessage): Promise<void> => {
    const body = { ...(cwd === undefined ? {} : { cwd }), ...(model === '' ? {} : { model }), ...(mode === undefined ? {} : { mode }), ...(skill === '' ? {} : { skill }) };
    const of = JSON.stringify(body);
    // A session whose first message did not arrive is used for the next attempt.
    if (made.current?.of !== of) made.current = { of, ...(await server.createSession({ body })) };
    const { id } = made.current;
    await server.sendMessage({ id, ...bodyOf(message) });
    navigate(`/chat/${encodeURIComponent(id)}`);
    queries.invalidateQueries({ queryKey: ['sessions'] }).catch(reportError);
  };
  return (
    <div className={styles.scroll}>
      <div className={styles.page}>
        <h1 className={styles.greeting}>{words.fresh.greeting}</h1>
        <Composer draft="new" cwd={isFolderWrong ? undefined : cwd} turn="none" onSend={begin} />
        <ChatOptions chosen={chosen} choose={choose} onFolder={setFolderWrong} />
      </div>
    </div>
  );
}
