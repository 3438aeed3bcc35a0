import { serveEditor } from '../../acp/serve-editor.ts';
import { parseMode } from '../../permissions/mode.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { keepOutputClean } from '../clean-output.ts';
import { openRuntime } from '../open-runtime.ts';
import { sandboxOf, type TurnFlags } from '../run/turn-flags.ts';
import { oneLine } from '../terminal.ts';

/** `skillmint acp`: serves the editor that has started the program; resolves to the exit code. */
export async function acpCommand({ model, permissionMode, sandbox }: Pick<TurnFlags, 'model' | 'permissionMode' | 'sandbox'>): Promise<number> {
  keepOutputClean(log);
  if (process.stdin.isTTY) log('an editor starts this program and speaks with it; see: skillmint acp --help (Ctrl+D ends it)');
  const mode = permissionMode === undefined ? undefined : parseMode(permissionMode);
  return interruptible(async (stop) => {
    // The person sits before the editor and can be asked.
    const runtime = await openRuntime({ terminal: true, trial: undefined });
    try {
      const broken = await serveEditor({
        runtime, stop, log,
        input: process.stdin,
        output: process.stdout,
        start: { ...(model === undefined ? {} : { model }), ...(mode === undefined ? {} : { mode }) },
        turn: sandbox === undefined ? {} : { sandbox: sandboxOf(sandbox) },
      });
      if (broken !== undefined) throw new SkillmintError('io', `The connection with the editor broke: ${broken}. What was said is stored.`);
      return EXIT.done;
    } finally {
      await runtime.close();
    }
  });
}

function log(line: string): void {
  process.stderr.write(`skillmint: ${oneLine(line)}\n`);
}
