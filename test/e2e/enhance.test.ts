import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import type { FakeStep } from '../../src/testing/fake-provider/script.ts';
import { MODEL, makePlace, oneLineOf, run, withProvider } from './program.ts';

const fixture = (name: string): string => path.resolve('test/runtime/enhance/conversations', `${name}.jsonl`);

it('prints the decision and what would be made, and says in one line what is missing', async () => {
  const place = makePlace();
  const answer = (decision: object): FakeStep => ({ text: JSON.stringify({ skill: '', request: '', reason: 'It was shown twice.', quotes: [], messages: [], tasks: [], ...decision }) });
  const provider = await withProvider(place, { steps: [answer({ decision: 'create', request: 'Travel claims, grouped by trip.', quotes: [{ seq: 7, text: 'I explain this every month.' }] }), answer({ decision: 'nothing' })] });
  const made = await run(place, ['skills', 'enhance', '--conversation', fixture('create-travel-claims'), ...MODEL]);
  expect([made.code, made.stdout], made.stderr).toEqual([0, expect.stringMatching(/Decision: create\. It was shown twice\.\n {2}\[7\] I explain this every month\.\nIt would do: Travel claims/)]);
  const none = await run(place, ['skills', 'enhance', '--conversation', fixture('nothing-unclear'), ...MODEL, '--json']);
  expect([none.code, JSON.parse(none.stdout)]).toMatchObject([0, { decision: 'nothing', tried: [], status: 'done' }]);
  expect(fs.readdirSync(path.join(place.data, 'enhancements'))).toHaveLength(2);
  const asked = provider.requests.length;
  for (const [args, code, sentence] of [[['--conversation', 'missing.jsonl'], 5, /neither a session nor a file/], [['--conversation', 'x', '--yes'], 2, /--budget USD/], [['--conversation', fixture('nothing-unclear'), '--skill-of-nobody'], 2, /unknown option/]] as const) {
    const failed = await run(place, ['skills', 'enhance', ...args]);
    expect([failed.code, oneLineOf(failed)]).toEqual([code, expect.stringMatching(sentence)]);
  }
  expect(provider.requests).toHaveLength(asked);
}, 60_000);
