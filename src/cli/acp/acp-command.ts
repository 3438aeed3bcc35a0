import { serveEditor } from '../../acp/serve-editor.ts';
import { parseMode } from '../../permissions/mode.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { EXIT } from '../exit-codes.ts';
import { interruptible } from '../interrupts.ts';
import { openRuntime } from '../open-runtime.ts';
import { sandboxOf, type TurnFlags } from '../run/turn-flags.ts';
import { oneLine } from '../terminal.ts';

/** `skillmint acp`: serves the editor that has started the program; resolves to the exit code. */
export async function acpCommand({ model, permissionMode, sandbox }: Pick<TurnFlags, 'model' | 'permissionMode' | 'sandbox'>): Promise<number> {
  keepOutputClean();
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

/** Standard output carries the protocol alone, whatever a library wants to say. */
function keepOutputClean(): void {
  const told = (...said: readonly unknown[]): void => log(said.map(String).join(' '));
  console.log = told;
  console.info = told;
  console.debug = told;
  console.error = told;
}
