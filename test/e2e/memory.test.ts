import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makePlace, MODEL, run, withProvider } from './program.ts';

it('what one session kept with a person\'s consent stands in the prompt of the next, beside the instructions of the project', async () => {
  const place = makePlace();
  fs.writeFileSync(path.join(place.project, 'AGENTS.md'), 'Use tabs.');
  const call = { name: 'CallTool', input: { tool: 'Memory', input: { action: 'write', key: 'MEMORY', content: 'The release is on Mondays.' } } };
  const provider = await withProvider(place, { steps: [{ calls: [call] }, 'kept', 'read'] });
  const asked = await run(place, ['run', 'x', ...MODEL]);
  expect([asked.code, asked.stderr]).toEqual([3, expect.stringContaining('waits for consent: Memory {"action":"write","key":"MEMORY","content":"The release is on Mondays."}')]);
  expect(fs.existsSync(path.join(place.data, 'memory'))).toBe(false);
  const [session = ''] = /ses_\w+/.exec(asked.stderr) ?? [];
  expect(await run(place, ['answer', session, '--allow'])).toMatchObject({ code: 0, stdout: 'kept\n' });
  expect(await run(place, ['run', 'y', ...MODEL])).toMatchObject({ code: 0, stdout: 'read\n' });
  const prompts = provider.requests.map(({ text }) => text);
  expect(prompts.map((text) => [text.includes('Use tabs.'), text.includes('Notes of earlier sessions on this project')])).toEqual([[true, false], [true, false], [true, true]]);
  expect(prompts[2]).toContain('The release is on Mondays.');
});

it('a project whose instructions cannot be read as such does not keep a turn from running, and says so', async () => {
  const place = makePlace();
  fs.symlinkSync('/etc/passwd', path.join(place.project, 'AGENTS.md'));
  const provider = await withProvider(place, { steps: ['done'] });
  const { code, stderr } = await run(place, ['run', 'x', ...MODEL]);
  expect(code).toBe(0);
  expect(stderr).toContain(`${place.project}/AGENTS.md is not part of the instructions: it is a link to /etc/passwd, outside of where it may lie.`);
  expect(provider.requests[0]?.text).not.toContain('root:');
});
