import { SkillmintError } from '../../protocol/errors.ts';
import type { AnswerRequest } from '../../runtime/runtime.ts';
import { interruptible, refuseStopped } from '../interrupts.ts';
import { openRuntime, type OpenOptions } from '../open-runtime.ts';
import { oneOf } from '../options.ts';
import { indexingLine } from '../listings/indexing-line.ts';
import { EXIT } from '../exit-codes.ts';
import { waitForAgents } from './wait-for-agents.ts';
import { followTurn, OUTPUT_FORMS } from './follow-turn.ts';
import { indexingStatus } from './indexing-status.ts';
import type { AnswerFlags } from './turn-flags.ts';

interface AnswerGiven extends Pick<OpenOptions, 'trial'> {
  readonly sessionId: string;
  readonly text: string | undefined;
  readonly flags: AnswerFlags;
}

/** `skillmint answer`: resolves to the exit code. */
export async function answerCommand({ sessionId, text, flags, trial }: AnswerGiven): Promise<number> {
  const answer = readAnswer(text, flags);
  const form = oneOf(flags.output, OUTPUT_FORMS, '--output');
  return interruptible(async (stop) => {
    const indexing = indexingStatus(indexingLine, { ephemeral: false });
    const runtime = await openRuntime({ terminal: false, trial, onSkillIndexing: indexing.onSkillIndexing });
    try {
      refuseStopped(stop);
      const turn = await runtime.answer({ sessionId, answer, ...(flags.request === undefined ? {} : { requestId: flags.request }) });
      const code = await followTurn(turn, { form, verbose: flags.verbose === true, ephemeral: false, indexing, stop });
      const stopped = await waitForAgents(runtime, turn.sessionId, { stop, ephemeral: false });
      return stopped ? EXIT.interrupted : code;
    } finally {
      await runtime.close();
      await indexing.end();
    }
  });
}

function readAnswer(text: string | undefined, flags: AnswerFlags): AnswerRequest['answer'] {
  const decisions = [flags.allow, flags.always, flags.deny].filter(Boolean).length;
  if (decisions > 1) throw new SkillmintError('usage', 'Give one of --allow, --always and --deny.');
  if (decisions === 1 && text !== undefined) throw new SkillmintError('usage', 'Give either a text or a decision. With --deny, use --reason for what you want to say.');
  if (decisions === 0 && text === undefined) throw new SkillmintError('usage', 'Give the answer: a text, or one of --allow, --always and --deny.');
  if (text !== undefined) return { kind: 'text', text };
  const reason = flags.reason === undefined ? {} : { reason: flags.reason };
  if (flags.deny) return { kind: 'permission', decision: 'deny', scope: 'once', ...reason };
  return { kind: 'permission', decision: 'allow', scope: flags.always ? 'always' : 'once', ...reason };
}
