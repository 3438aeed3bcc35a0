import type Anthropic from '@anthropic-ai/sdk';
import { generateText, jsonSchema, type ToolSet } from 'ai';
import type OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { aiSdkTools } from '../../src/adapters/ai-sdk.ts';
import { messagesSkills } from '../../src/adapters/anthropic.ts';
import { chatSkills, responsesSkills } from '../../src/adapters/openai.ts';
import type { GivenSkill } from '../../src/runtime/embed/given-skill.ts';
import type { ScriptQuestion, SkillTools } from '../../src/runtime/skill-tools/skill-tool.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { withoutBubblewrap } from '../e2e/program.ts';
import { open } from '../runtime/open.ts';

const GREETING: GivenSkill = { name: 'greeting', description: 'Greets people politely.', instructions: 'Say good day.', files: { 'scripts/hello.sh': '#!/bin/sh\necho "hello $1"\n' } };
const SCRIPT = { skill: 'greeting', script: 'scripts/hello.sh', args: ['Ada'] };

async function skillTools(): Promise<SkillTools> {
  const { runtime, place } = await open(scriptedModel([]), { skills: [GREETING], settings: { permissions: { mode: 'default' } } });
  return await runtime.skillTools({ cwd: place.project });
}

interface Answer {
  readonly text: string;
  readonly failed: boolean;
}

/** A loop's way to make a call: its arguments as the model sent them, in JSON that may be broken. */
type Loop = (skills: SkillTools, name: string, args: string, ask?: (question: ScriptQuestion) => Promise<'once' | 'no'>) => Promise<Answer>;

const failedText = (text: string): Answer => ({ text, failed: text.startsWith('Error: ') });

// The types of the libraries themselves stand here: what is made has to fit them.
const LOOPS: Readonly<Record<string, Loop>> = {
  async chat(skills, name, args, ask) {
    const made = chatSkills(skills, ask ? { ask } : {});
    const tools: OpenAI.ChatCompletionCreateParams['tools'] = made.tools;
    expect(tools).toHaveLength(4);
    const call: OpenAI.ChatCompletionMessageToolCall = { id: 'call_1', type: 'function', function: { name, arguments: args } };
    const message = await made.call(call);
    const messages: OpenAI.ChatCompletionCreateParams['messages'] = [message];
    expect(messages).toHaveLength(1);
    expect(message).toEqual({ role: 'tool', tool_call_id: 'call_1', content: expect.any(String) });
    return failedText(message.content);
  },
  async responses(skills, name, args, ask) {
    const made = responsesSkills(skills, ask ? { ask } : {});
    const tools: OpenAI.Responses.ResponseCreateParams['tools'] = made.tools;
    expect(tools).toHaveLength(4);
    const call: OpenAI.Responses.ResponseFunctionToolCall = { type: 'function_call', call_id: 'call_1', name, arguments: args };
    const item = await made.call(call);
    const input: OpenAI.Responses.ResponseInput = [call, item];
    expect(input[1]).toEqual({ type: 'function_call_output', call_id: 'call_1', output: expect.any(String) });
    return failedText(item.output);
  },
  async anthropic(skills, name, args, ask) {
    const made = messagesSkills(skills, ask ? { ask } : {});
    const tools: Anthropic.MessageCreateParams['tools'] = made.tools;
    expect(tools).toHaveLength(4);
    const call: Pick<Anthropic.ToolUseBlock, 'id' | 'name' | 'input'> = { id: 'toolu_1', name, input: args.endsWith('}') ? JSON.parse(args) : args };
    const block = await made.call(call);
    const blocks: Anthropic.MessageParam['content'] = [block];
    expect(blocks).toHaveLength(1);
    expect(block).toEqual({ type: 'tool_result', tool_use_id: 'toolu_1', content: expect.any(String), is_error: expect.any(Boolean) });
    return { text: block.content, failed: block.is_error };
  },
};

describe.each(Object.entries(LOOPS))('skills in a loop of %s', (_name, loop) => {
  it('are found, loaded and read', async () => {
    const skills = await skillTools();
    expect(await loop(skills, 'find_skills', '{"query":"greet people"}')).toEqual({ failed: false, text: expect.stringContaining('memory:greeting') });
    expect(await loop(skills, 'load_skill', '{"skill":"greeting"}')).toEqual({ failed: false, text: expect.stringContaining('Say good day.') });
    expect(await loop(skills, 'read_skill_file', '{"skill":"greeting","path":"scripts/hello.sh"}')).toEqual({ failed: false, text: expect.stringContaining('hello $1') });
  });

  it.each([
    ['order_pizza', '{}', /no tool "order_pizza".*find_skills/],
    ['load_skill', '{"skill":', /no JSON object/],
    ['load_skill', '["greeting"]}'.slice(0, -1), /no JSON object/],
    ['load_skill', '{}', /needs the argument "skill"/],
    ['load_skill', '{"skill":"none-of-these"}', /no skill/i],
  ])('tell the model what is wrong with %s %s', async (name, args, says) => {
    expect(await loop(await skillTools(), name, args)).toEqual({ failed: true, text: expect.stringMatching(says) });
  });

  it.skipIf(withoutBubblewrap)('run scripts after the person has agreed', async () => {
    const skills = await skillTools();
    const asked: ScriptQuestion[] = [];
    expect(await loop(skills, 'run_skill_script', JSON.stringify(SCRIPT))).toEqual({ failed: true, text: expect.stringMatching(/cannot be asked here/) });
    expect(await loop(skills, 'run_skill_script', JSON.stringify(SCRIPT), async () => 'no')).toEqual({ failed: true, text: expect.stringMatching(/does not want/) });
    expect(await loop(skills, 'run_skill_script', JSON.stringify(SCRIPT), async (question) => (asked.push(question), 'once'))).toEqual({ failed: false, text: expect.stringContaining('hello Ada') });
    expect(asked).toMatchObject([{ script: 'scripts/hello.sh', args: ['Ada'], trusted: true }]);
    await expect(loop(skills, 'run_skill_script', JSON.stringify(SCRIPT), async () => { throw new Error('the window is gone'); })).rejects.toThrow('the window is gone');
  });
});

it('a call of another kind is answered, too', async () => {
  const made = chatSkills(await skillTools());
  const custom: OpenAI.ChatCompletionMessageToolCall = { id: 'call_1', type: 'custom', custom: { name: 'grammar', input: 'x' } };
  expect((await made.call(custom)).content).toMatch(/^Error: There is no tool/);
  expect([made.has('find_skills'), made.has('grammar')]).toEqual([true, false]);
});

describe('skills in a loop of the AI SDK', () => {
  type Model = Exclude<Parameters<typeof generateText>[0]['model'], string>;

  /** A model of the library's own kind that makes these calls, all at once, and then ends. */
  function callingModel(calls: readonly { readonly toolName: string; readonly input: string }[]): Model & { readonly prompts: unknown[] } {
    const prompts: unknown[] = [];
    const usage = { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } };
    return {
      prompts, specificationVersion: 'v3', provider: 'scripted', modelId: 'm', supportedUrls: {},
      async doGenerate({ prompt, tools }) {
        prompts.push({ prompt, tools });
        const last = prompts.length > 1;
        return last
          ? { content: [{ type: 'text', text: 'done' }], finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] }
          : { content: calls.map((call, i) => ({ type: 'tool-call', toolCallId: `call_${i}`, ...call })), finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
      },
      async doStream() { throw new Error('nobody streams here'); },
    };
  }

  it('are called, and failures are told to the model', async () => {
    const tools: ToolSet = aiSdkTools(await skillTools(), { jsonSchema });
    const model = callingModel([
      { toolName: 'load_skill', input: '{"skill":"greeting"}' },
      { toolName: 'load_skill', input: '{"skill":"none-of-these"}' },
      { toolName: 'load_skill', input: '{"skill":' },
      { toolName: 'order_pizza', input: '{}' },
    ]);
    const { text } = await generateText({ model, tools, prompt: 'greet', stopWhen: ({ steps }) => steps.length > 3 });
    expect(text).toBe('done');
    const [first, second] = model.prompts;
    expect(first).toMatchObject({ tools: [{ name: 'find_skills', inputSchema: { type: 'object', required: ['query'] } }, {}, {}, { name: 'run_skill_script' }] });
    const told = JSON.stringify(second);
    for (const says of [/"type":"text","value":"<skill name=/, /"type":"error-text","value":"There is no skill .{2}none-of-these/, /Invalid input for tool load_skill/, /order_pizza/]) expect(told).toMatch(says);
  });

  it('say what they need, and take results in the form of each version', async () => {
    const skills = await skillTools();
    expect(() => aiSdkTools(skills, {} as never)).toThrow(/needs jsonSchema of the package ai/); // as a program without types
    const tool = aiSdkTools(skills, { jsonSchema })['load_skill'];
    const output = await tool?.execute({ skill: 'none-of-these' }, {});
    if (!output) throw new Error('no tool');
    const told = { type: 'error-text', value: expect.stringContaining('none-of-these') };
    expect([tool?.toModelOutput(output), tool?.toModelOutput({ output })]).toEqual([told, told]);
  });

  it.skipIf(withoutBubblewrap)('run scripts after the person has agreed', async () => {
    const skills = await skillTools();
    const run = async (ask?: () => Promise<'once' | 'no'>): Promise<string> => {
      const model = callingModel([{ toolName: 'run_skill_script', input: JSON.stringify(SCRIPT) }]);
      await generateText({ model, tools: aiSdkTools(skills, { jsonSchema, ...(ask ? { ask } : {}) }), prompt: 'greet', stopWhen: ({ steps }) => steps.length > 3 });
      return JSON.stringify(model.prompts[1]);
    };
    expect(await run()).toMatch(/"error-text","value":"[^"]*cannot be asked here/);
    expect(await run(async () => 'once')).toContain('hello Ada');
  });
});
