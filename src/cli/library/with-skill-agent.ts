import type { SkillAgent, SkillAgentCall } from '../../runtime/skill-agent/skill-agent.ts';
import { oneLine, write } from '../terminal.ts';
import { interruptible } from '../interrupts.ts';
import { openRuntime } from '../open-runtime.ts';
import { startProgress } from './progress.ts';

/** What every call of this command line says. */
type Call = Pick<SkillAgentCall, 'cwd' | 'model' | 'signal' | 'progress'>;

/** Works with the skill agent of the current folder: Ctrl-C stops it, and what it does stands on standard error when it takes longer. Sets the exit code. */
export async function withSkillAgent(model: string | undefined, work: (agent: SkillAgent, call: Call) => Promise<number>): Promise<void> {
  process.exitCode = await interruptible(async (stop) => {
    const runtime = await openRuntime({ terminal: false });
    const progress = startProgress();
    try {
      return await work(runtime.skillAgent, { cwd: process.cwd(), signal: stop, progress: progress.say, ...(model === undefined ? {} : { model }) });
    } finally {
      progress.end();
      await runtime.close();
    }
  });
}

/** Says what the person should know, on standard error. */
export async function tellWarnings(warnings: readonly string[]): Promise<void> {
  for (const warning of warnings) await write(process.stderr, `skillmint: ${oneLine(warning)}\n`);
}
