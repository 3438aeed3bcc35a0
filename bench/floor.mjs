// What plain Node needs for the same exchange: asks the provider, reads the files it is told to, prints the answer.
// node bench/floor.mjs BASE_URL PROMPT
import fs from 'node:fs';

const [baseUrl, prompt] = process.argv.slice(2);
const tools = [{ type: 'function', function: { name: 'Read', parameters: { type: 'object', properties: { file_path: { type: 'string' } }, required: ['file_path'] } } }];
const messages = [{ role: 'user', content: prompt }];

/** One reply, put together from its stream. */
async function ask() {
  const response = await fetch(`${baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'bench-model', stream: true, messages, tools }),
  });
  const reply = { text: '', calls: [] };
  const decoder = new TextDecoder();
  let pending = '';
  for await (const bytes of response.body) {
    const events = (pending + decoder.decode(bytes, { stream: true })).split('\n\n');
    pending = events.pop() ?? '';
    for (const event of events) take(event, reply);
  }
  return reply;
}

function take(event, reply) {
  if (!event.startsWith('data: {')) return;
  const delta = JSON.parse(event.slice('data: '.length)).choices[0]?.delta;
  reply.text += delta?.content ?? '';
  for (const part of delta?.tool_calls ?? []) {
    const call = (reply.calls[part.index] ??= { id: '', type: 'function', function: { name: '', arguments: '' } });
    call.id ||= part.id ?? '';
    call.function.name ||= part.function?.name ?? '';
    call.function.arguments += part.function?.arguments ?? '';
  }
}

let reply = await ask();
while (reply.calls.length > 0) {
  messages.push({ role: 'assistant', content: reply.text || null, tool_calls: reply.calls });
  for (const call of reply.calls) {
    const { file_path: file } = JSON.parse(call.function.arguments);
    messages.push({ role: 'tool', tool_call_id: call.id, content: fs.readFileSync(file, 'utf8') });
  }
  reply = await ask();
}
process.stdout.write(`${reply.text}\n`);
