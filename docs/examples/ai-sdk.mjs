// Skills in a loop of the AI SDK. npm install ai @ai-sdk/openai-compatible; BASE_URL=… MODEL=… node docs/examples/ai-sdk.mjs "PROMPT"
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { jsonSchema, stepCountIs, streamText } from 'ai';
import { createRuntime } from 'skillmint';
import { aiSdkTools } from 'skillmint/ai-sdk';

const provider = createOpenAICompatible({ name: 'mine', baseURL: process.env.BASE_URL ?? 'http://127.0.0.1:11434/v1', apiKey: process.env.API_KEY ?? '' });
const runtime = await createRuntime({ ephemeral: true });
try {
  const skills = await runtime.skillTools({ cwd: process.cwd() });
  const { textStream } = streamText({
    model: provider(process.env.MODEL ?? 'qwen3'),
    system: skills.instructions,
    prompt: process.argv[2] ?? 'Which skills could help me to write a report?',
    // What may run is decided here; a real program would show the person `text`.
    tools: aiSdkTools(skills, { jsonSchema, ask: async ({ trusted }) => (trusted ? 'once' : 'no') }),
    stopWhen: stepCountIs(20),
  });
  for await (const text of textStream) process.stdout.write(text);
  process.stdout.write('\n');
} finally {
  await runtime.close();
}
