// A conversation with a running server: skillmint serve. SKILLMINT_TOKEN=… node docs/examples/http-client.mjs "PROMPT"
import { createClient } from 'skillmint/client';

const client = createClient({ url: process.env.SKILLMINT_URL ?? 'http://127.0.0.1:8765', token: process.env.SKILLMINT_TOKEN });
const { id } = await client.createSession({ body: {} });
// Sent again with the same key, also after a broken connection, the message is taken once.
const { turn_id } = await client.sendMessage({ id, body: { text: process.argv[2] ?? 'What is in this folder?' }, headers: { 'idempotency-key': crypto.randomUUID() } });

const stop = new AbortController();
for await (const event of client.follow(id, { signal: stop.signal })) {
  if (event.type === 'text.delta') process.stdout.write(event.text);
  if (event.type === 'permission.requested') {
    process.stdout.write(`\n[${event.tool} is allowed once]\n`);
    await client.answer({ id, body: { request_id: event.request_id, decision: 'allow', scope: 'once' } });
  }
  if (event.type === 'question.asked') await client.answer({ id, body: { request_id: event.request_id, answer: event.options?.[0] ?? 'As you think best.' } });
  // A turn that waits goes on once it is answered.
  if (event.type === 'turn.completed' && event.turn_id === turn_id && event.status !== 'waiting') stop.abort();
}
const { days } = await client.usage({});
process.stdout.write(`\n${days.at(-1)?.turns ?? 0} turns today\n`);
