import { useState } from 'react';
import { useLanguage } from '../../i18n/language.tsx';
import { MOST_BYTES, MOST_FILES, readAttachment, typeOf, type Attachment } from './attachment.ts';

/** The files of the message that is being written. */
export interface Attachments {
  readonly files: readonly Attachment[];
  /** Some are not read yet: the message would go without them, and the next one with them. */
  readonly isReading: boolean;
  /** Why the last ones were not taken. */
  readonly problem: string | undefined;
  readonly add: (files: readonly File[]) => void;
  readonly remove: (index: number) => void;
  readonly clear: () => void;
}

/** Keeps files for a message; says which cannot go with it, and why. */
export function useAttachments(): Attachments {
  const { words: { chat: { composer: words } } } = useLanguage();
  const [files, setFiles] = useState<readonly Attachment[]>([]);
  const [problem, setProblem] = useState<string>();
  const [reading, setReading] = useState(0);
  const take = async (given: readonly File[]): Promise<void> => {
    const wrong = given.find((file) => typeOf(file) === undefined);
    if (wrong) return setProblem(words.wrongType(wrong.name));
    if (files.length + given.length > MOST_FILES) return setProblem(words.tooMany);
    if ([...files, ...given].reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) return setProblem(words.tooLarge);
    const read = await Promise.all(given.flatMap((file) => {
      const type = typeOf(file);
      return type === undefined ? [] : [readAttachment(file, type)];
    }));
    setProblem(undefined);
    setFiles((before) => [...before, ...read]);
  };
  return {
    files,
    isReading: reading > 0,
    problem,
    add: (given) => {
      if (given.length === 0) return;
      setReading((count) => count + 1);
      take(given).catch((error: unknown) => setProblem(words.unreadable(error instanceof Error ? error.message : ''))).finally(() => setReading((count) => count - 1));
    },
    remove: (index) => setFiles((before) => before.filter((_file, at) => at !== index)),
    clear: () => {
      setFiles([]);
      setProblem(undefined);
    },
  };
}
