import path from 'node:path';
import { messageOf } from '../../protocol/errors.ts';
import type { ResultPart } from '../../protocol/content.ts';
import type { ToolOutcome } from '../../protocol/tool.ts';
import { isTooLong, truncateOutput } from '../../tools/truncate-output.ts';
import type { SessionFolder } from './session-folder.ts';

/** Full texts of tool results that were cut, one file a call, in a folder of the session that its tools may read. */
export interface Outputs {
  readonly folder: string;
  /** The outcome as the model may read it; the whole text is kept in a file when it was cut. */
  fit(callId: string, outcome: ToolOutcome): Promise<ToolOutcome>;
}

/** The outputs of a session. */
export function sessionOutputs(kept: SessionFolder): Outputs {
  return {
    folder: kept.path,
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
        content.push({ type: 'text', text: await cut(kept, `${fileName(callId)}${index === 0 ? '' : `-${index}`}.txt`, part.text) });
      }
      return { ...outcome, content };
    },
  };
}

/** A result that cannot be kept whole is still a result: it is cut, and says why the rest is gone. */
async function cut(kept: SessionFolder, name: string, text: string): Promise<string> {
  try {
    await kept.write(name, text);
    return truncateOutput({ text, savedAs: path.join(kept.path, name) });
  } catch (error) {
    return `${truncateOutput({ text })}\n\n[The whole output could not be kept: ${messageOf(error)}]`;
  }
}

/** Call ids come from a provider; only harmless characters of them become a file name. */
function fileName(callId: string): string {
  return callId.replace(/[^\w-]/g, '_').slice(0, 100);
}
