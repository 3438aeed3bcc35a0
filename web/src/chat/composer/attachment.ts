const TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'application/pdf'] as const;
/** What a file chooser offers. */
export const ACCEPTED = TYPES.join(',');
/** Files of one message. */
export const MOST_FILES = 20;
/** Bytes of all files of one message: as base64 they have to fit into 32 MiB. */
export const MOST_BYTES = 22_000_000;

/** A picture or a document that goes with a message. */
export interface Attachment {
  readonly media_type: (typeof TYPES)[number];
  /** base64 */
  readonly data: string;
  readonly name: string;
  /** Bytes. */
  readonly size: number;
}

/** The type that the server takes this file as; undefined for others. */
export function typeOf(file: File): Attachment['media_type'] | undefined {
  return TYPES.find((type) => type === file.type);
}

/** Reads a file. Rejects where the browser cannot. */
export function readAttachment(file: File, mediaType: Attachment['media_type']): Promise<Attachment> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('error', () => reject(new Error(file.name, { cause: reader.error })));
    reader.addEventListener('load', () => {
      const address = typeof reader.result === 'string' ? reader.result : '';
      resolve({ media_type: mediaType, data: address.slice(address.indexOf(',') + 1), name: file.name.slice(0, 200), size: file.size });
    });
    reader.readAsDataURL(file);
  });
}
