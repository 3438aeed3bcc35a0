// Skills in a loop of the Anthropic library. npm install @anthropic-ai/sdk; MODEL=… node docs/examples/anthropic.mjs "PROMPT"
import Anthropic from '@anthropic-ai/sdk';
import { createRuntime } from 'skillmint';
import { messagesSkills } from 'skillmint/anthropic';

const client = new Anthropic();
const runtime = await createRuntime({ ephemeral: true });
try {
  const skillTools = await runtime.skillTools({ cwd: process.cwd() });
  // What may run is decided here; a real program would show the person `text`.
  const skills = messagesSkills(skillTools, { ask: async ({ trusted }) => (trusted ? 'once' : 'no') });
  const messages = [{ role: 'user', content: process.argv[2] ?? 'Which skills could help me to write a report?' }];
  for (let step = 0; step < 20; step++) {
    const stream = client.messages.stream({ model: process.env.MODEL ?? 'claude-sonnet-4-5', max_tokens: 4_096, system: skillTools.instructions, messages, tools: skills.tools });
    stream.on('text', (text) => process.stdout.write(text));
    const { content } = await stream.finalMessage();
    messages.push({ role: 'assistant', content });
    const calls = content.filter(({ type }) => type === 'tool_use');
    if (calls.length === 0) break;
    messages.push({ role: 'user', content: await Promise.all(calls.map((call) => skills.call(call))) });
  }
  process.stdout.write('\n');
} finally {
  await runtime.close();
}
