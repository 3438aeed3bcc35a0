// Skills in a loop of the OpenAI library. npm install openai; MODEL=… node docs/examples/openai.mjs "PROMPT"
// With API=responses through Responses, else through Chat Completions, which most other providers speak.
import OpenAI from 'openai';
import { createRuntime } from 'skillmint';
import { chatSkills, responsesSkills } from 'skillmint/openai';

const client = new OpenAI();
const model = process.env.MODEL ?? 'gpt-5';
const prompt = process.argv[2] ?? 'Which skills could help me to write a report?';
// What may run is decided here; a real program would show the person `text`.
const ask = async ({ trusted }) => (trusted ? 'once' : 'no');

async function throughChat(skillTools) {
  const skills = chatSkills(skillTools, { ask });
  const messages = [{ role: 'system', content: skillTools.instructions }, { role: 'user', content: prompt }];
  for (let step = 0; step < 20; step++) {
    const { message } = (await client.chat.completions.stream({ model, messages, tools: skills.tools }).finalChatCompletion()).choices[0];
    messages.push(message);
    if (!message.tool_calls?.length) return message.content;
    for (const call of message.tool_calls) messages.push(await skills.call(call));
  }
  return 'Too many steps.';
}

async function throughResponses(skillTools) {
  const skills = responsesSkills(skillTools, { ask });
  const input = [{ role: 'user', content: prompt }];
  for (let step = 0; step < 20; step++) {
    const { output, output_text } = await client.responses.stream({ model, instructions: skillTools.instructions, input, tools: skills.tools, store: false }).finalResponse();
    const calls = output.filter(({ type }) => type === 'function_call');
    if (calls.length === 0) return output_text;
    input.push(...output);
    for (const call of calls) input.push(await skills.call(call));
  }
  return 'Too many steps.';
}

const runtime = await createRuntime({ ephemeral: true });
try {
  const skillTools = await runtime.skillTools({ cwd: process.cwd() });
  process.stdout.write(`${process.env.API === 'responses' ? await throughResponses(skillTools) : await throughChat(skillTools)}\n`);
} finally {
  await runtime.close();
}
