import path from 'node:path';
import type { HostFiles } from '../../host/host.ts';
import { messageOf, systemCode } from '../../protocol/errors.ts';
import type { ResultPart } from '../../protocol/content.ts';
import type { ToolOutcome } from '../../protocol/tool.ts';
import { isTooLong, truncateOutput } from '../../tools/truncate-output.ts';

/** Full texts of tool results that were cut, one file a call, in a folder of the session that its tools may read. */
export interface Outputs {
  readonly folder: string;
  /** The outcome as the model may read it; the whole text is kept in a file when it was cut. */
  fit(callId: string, outcome: ToolOutcome): Promise<ToolOutcome>;
}

/** Folder of a session's outputs. */
export function outputFolder(dataFolder: string, sessionId: string): string {
  return path.join(dataFolder, 'outputs', sessionId);
}

/** Removes a folder that belongs to a session; there may be none. */
export async function removeOutputs(files: HostFiles, folder: string): Promise<void> {
  try {
    await files.remove(folder);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** The outputs of a session below the data folder. */
export function sessionOutputs(files: HostFiles, dataFolder: string, sessionId: string): Outputs {
  const folder = outputFolder(dataFolder, sessionId);
  return {
    folder,
    async fit(callId, outcome) {
      // Instructions of a skill are cut to what the model's context holds when they are loaded, and stay whole otherwise.
      if (outcome.events?.some((event) => event.type === 'skill.activated')) return outcome;
      if (outcome.content.every((part) => part.type !== 'text' || !isTooLong(part.text))) return outcome;
      const content: ResultPart[] = [];
      for (const [index, part] of outcome.content.entries()) {
        if (part.type !== 'text' || !isTooLong(part.text)) {
          content.push(part);
          continue;
        }
        const file = path.join(folder, `${fileName(callId)}${index === 0 ? '' : `-${index}`}.txt`);
        content.push({ type: 'text', text: await cut(files, file, part.text) });
      }
      return { ...outcome, content };
    },
  };
}

/** A result that cannot be kept whole is still a result: it is cut, and says why the rest is gone. */
async function cut(files: HostFiles, file: string, text: string): Promise<string> {
  try {
    await files.write(file, text, { mode: 0o600, folderMode: 0o700 });
    return truncateOutput({ text, savedAs: file });
  } catch (error) {
    return `${truncateOutput({ text })}\n\n[The whole output could not be kept: ${messageOf(error)}]`;
  }
}

/** Call ids come from a provider; only harmless characters of them become a file name. */
function fileName(callId: string): string {
  return callId.replace(/[^\w-]/g, '_').slice(0, 100);
}
