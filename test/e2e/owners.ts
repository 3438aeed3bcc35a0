import fs from 'node:fs';
import path from 'node:path';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { eventsOf, exported, FREE, run, sessionOf, start, withProvider, type Ended, type Place, type Printed, type Running } from './program.ts';

/** A command that notes its name in the file `begun` and then runs until it is let go. */
export function gatedCommand(place: Place, name: string): { readonly step: FakeStep; readonly open: () => void } {
  const gate = path.join(place.project, `go-${name}`);
  const command = `echo ${name} >> begun; while [ ! -e ${gate} ]; do sleep 0.01; done; echo over`;
  return { step: { calls: [{ name: 'Bash', input: { command } }] }, open: () => fs.writeFileSync(gate, '') };
}

/** A turn that is in the middle of a command, and the way to let the command end. */
export interface Held {
  readonly program: Running;
  readonly session: string;
  readonly open: () => void;
}

/** Starts a turn and resolves once its command runs. */
export async function holdTurn(place: Place): Promise<Held> {
  const gate = gatedCommand(place, 'held');
  await withProvider(place, { steps: [gate.step, 'The other one went on.', 'The first one went on.'] });
  return new Promise((resolve, reject) => {
    const program = start(place, ['run', 'begin', ...FREE, '--output', 'stream-json'], {
      onLine: (line) => {
        const [event] = eventsOf(`${line}\n`);
        if (event?.type === 'tool.started') resolve({ program, session: sessionOf([event]), open: gate.open });
      },
    });
    program.ended.then((ended) => reject(new Error(`the turn ended before its command: ${JSON.stringify(ended)}`)), reject);
  });
}

/** What became of a stopped owner whose session another process took over. */
export interface TakeOver {
  readonly early: Ended;
  readonly other: Ended;
  readonly stopped: Ended;
  readonly before: readonly Printed[];
  readonly after: readonly Printed[];
}

/** Stops the owner in its command, waits until its lease is over, lets another process go on, and wakes the first one. */
export async function takeOver(place: Place, held: Held, leaseIsOver: () => Promise<void>): Promise<TakeOver> {
  const { program, session } = held;
  program.child.kill('SIGSTOP');
  try {
    const early = await run(place, ['run', 'too early', '--session', session, ...FREE]);
    await leaseIsOver();
    const other = await run(place, ['run', 'go on', '--session', session, ...FREE]);
    const before = await exported(place, session);
    held.open();
    program.child.kill('SIGCONT');
    const stopped = await program.ended;
    return { early, other, stopped, before, after: await exported(place, session) };
  } finally {
    program.child.kill('SIGKILL');
  }
}
