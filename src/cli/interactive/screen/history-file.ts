import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../../protocol/errors.ts';
import { isObject } from '../../../protocol/json.ts';

const MOST_KEPT = 500;

/** What the person has typed before, in a file that only they can read. */
export interface MessageHistory {
  /** Oldest first. What is no entry is passed over. */
  load(): readonly string[];
  add(text: string): void;
}

/** The history in a data folder. A folder that cannot be read or written has none. */
export function messageHistory(dataFolder: string): MessageHistory {
  const file = path.join(dataFolder, 'history.jsonl');
  return {
    load() {
      const lines = readLines(file);
      const texts = lines.flatMap(textOfLine);
      if (lines.length > 2 * MOST_KEPT) unlessRefused(() => fs.writeFileSync(file, texts.slice(-MOST_KEPT).map(lineOf).join(''), { mode: 0o600 }));
      return texts.slice(-MOST_KEPT);
    },
    add: (text) => unlessRefused(() => fs.appendFileSync(file, lineOf(text), { mode: 0o600 })),
  };
}

function lineOf(text: string): string {
  return `${JSON.stringify({ text })}\n`;
}

function textOfLine(line: string): readonly string[] {
  try {
    const entry: unknown = JSON.parse(line);
    return isObject(entry) && typeof entry['text'] === 'string' ? [entry['text']] : [];
  } catch {
    // A line that was cut by the end of a program.
    return [];
  }
}

function readLines(file: string): readonly string[] {
  try {
    return fs.readFileSync(file, 'utf8').split('\n').filter(Boolean);
  } catch (error) {
    if (systemCode(error) === '') throw error;
    return [];
  }
}

/** History is a courtesy: a full disk must not end a conversation. */
function unlessRefused(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (systemCode(error) === '') throw error;
  }
}
