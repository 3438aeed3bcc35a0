// One turn through the library. node docs/examples/library.mjs [PROVIDER/MODEL]
import { createRuntime } from 'skillmint';

const runtime = await createRuntime({ ephemeral: true });
try {
  const turn = await runtime.prompt({ text: 'What does this project do?', cwd: process.cwd(), model: process.argv[2] ?? 'demo/demo' });
  for await (const event of turn.events) {
    if (event.type === 'text.delta') process.stdout.write(event.text);
    if (event.type === 'tool.requested') process.stdout.write(`\n[${event.tool}]\n`);
  }
  const { status, usage } = await turn.result;
  process.stdout.write(`\n${status}, ${usage.output} tokens of output\n`);
} finally {
  await runtime.close();
}
