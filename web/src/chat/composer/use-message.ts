import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { keep, kept } from '../../ui/kept.ts';
import type { OutgoingMessage } from './outgoing-message.ts';
import { useAttachments, type Attachments } from './use-attachments.ts';

const KEY_BYTES = 16;

/** The message that is being written. */
export interface Message {
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly attachments: Attachments;
  readonly canSend: boolean;
  readonly isSending: boolean;
  /** Why it was not sent; text and files are still there. */
  readonly error: unknown;
  readonly send: () => void;
}

/** Keeps a message while it is written: its text in this browser under `draft`, until it is sent. */
export function useMessage(draft: string, send: (message: OutgoingMessage) => Promise<unknown>): Message {
  const [text, setText] = useState(() => kept(`draft.${draft}`) ?? '');
  const attachments = useAttachments();
  const attempt = useRef<OutgoingMessage>(undefined);
  useEffect(() => keep(`draft.${draft}`, text), [draft, text]);
  const sending = useMutation({
    mutationFn: send,
    onSuccess: () => {
      attempt.current = undefined;
      keep(`draft.${draft}`, '');
      setText('');
      attachments.clear();
    },
  });
  const canSend = text.trim() !== '' && !sending.isPending && !attachments.isReading;
  const submit = (): void => {
    if (!canSend) return;
    const { files } = attachments;
    // What has not changed since the last attempt is the same message, which may have arrived.
    if (attempt.current?.text !== text || attempt.current.attachments !== files) attempt.current = { text, attachments: files, key: newKey() };
    sending.mutate(attempt.current);
  };
  return { text, setText, attachments, canSend, isSending: sending.isPending, error: sending.error, send: submit };
}

/** `crypto.randomUUID` is not there for pages that come from another machine without TLS. */
function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(KEY_BYTES))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
