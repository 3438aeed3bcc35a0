import type { Attachment } from './attachment.ts';

/** A message as it goes to the server. */
export interface OutgoingMessage {
  readonly text: string;
  readonly attachments: readonly Attachment[];
  /** The same for each attempt to send this message, so that it is taken once. */
  readonly key: string;
}
