// A turn that asks before it does something. node docs/examples/library-answers.mjs "PROMPT" [PROVIDER/MODEL]
import { createRuntime } from 'skillmint';

/** What your program decides; a real one would ask a person, and may do so days later and in another process. */
const decide = ({ tool, input }) => (tool === 'Write' && !String(input.file_path).includes('..') ? 'allow' : 'deny');

const runtime = await createRuntime();
try {
  const model = process.argv[3];
  let turn = await runtime.prompt({ text: process.argv[2] ?? 'Write hello.txt', cwd: process.cwd(), mode: 'default', ...(model ? { model } : {}) });
  let asked = [];
  for (;;) {
    for await (const event of turn.events) {
      if (event.type === 'text.delta') process.stdout.write(event.text);
      if (event.type === 'permission.requested') asked.push(event);
    }
    const { status } = await turn.result;
    const [request] = asked;
    if (status !== 'waiting' || !request) break;
    asked = asked.slice(1);
    const decision = decide(request);
    process.stdout.write(`\n[${request.tool}: ${decision}]\n`);
    turn = await runtime.answer({ sessionId: turn.sessionId, requestId: request.request_id, answer: { kind: 'permission', decision, scope: 'once', ...(decision === 'deny' ? { reason: 'Only new files in this folder may be written.' } : {}) } });
  }
  process.stdout.write(`\n${(await turn.result).status}\n`);
} finally {
  await runtime.close();
}
