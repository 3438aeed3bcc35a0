import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { eventsOf, makePlace, open, say, writeSkill } from './open.ts';

/** An endpoint whose vectors know one thing: what is about zorblaxes. Counts the texts that it was sent. */
async function endpoint(answer: 'vectors' | 'silence' | 'failure'): Promise<{ readonly baseUrl: string; readonly texts: string[] }> {
  const texts: string[] = [];
  const server = http.createServer((request, response) => {
    let body = '';
    request.on('data', (data: Buffer) => (body += data.toString()));
    request.on('end', () => {
      const { input }: { input: string[] } = JSON.parse(body);
      texts.push(...input);
      if (answer === 'silence') return;
      if (answer === 'failure') response.writeHead(500);
      response.end(JSON.stringify({ data: input.map((text, index) => ({ index, embedding: /zorblax|automobile/.test(text) ? [1, 0] : [0, 1] })) }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port }: Pick<AddressInfo, 'port'> = Object(server.address());
  return { baseUrl: `http://127.0.0.1:${port}/v1`, texts };
}

const ask = async (answer: 'vectors' | 'silence' | 'failure', place = makePlace()) => {
  for (let i = 0; i < 12; i += 1) writeSkill(place, `note-${i}`, { description: `Notes on a thing that people mend, of kind ${i}.` });
  writeSkill(place, 'automobiles', { description: 'Notes on automobiles that people drive around in all day long and mend.' });
  const { baseUrl, texts } = await endpoint(answer);
  const { runtime } = await open(scriptedModel(['one']), { place, settings: { skills: { embeddings: { baseUrl, model: 'tiny' } } } });
  const { events } = await say(runtime, { text: 'mend my zorblax', cwd: place.project });
  await runtime.close();
  return { place, texts, offered: eventsOf(events, 'skill.offered').flatMap(({ skills }) => skills.map(({ id }) => id)), warnings: eventsOf(events, 'warning').filter(({ code }) => code === 'skill_index').map(({ message }) => message) };
};

it('what means the same is moved up, and a text is sent once', async () => {
  const words = await ask('failure');
  const meaning = await ask('vectors');
  const place = (offered: readonly string[]): number => (offered.includes('project:automobiles') ? offered.indexOf('project:automobiles') : 99);
  expect(place(meaning.offered)).toBeLessThan(place(words.offered));
  expect(meaning.warnings).toEqual([]);
  expect(meaning.texts.length).toBeGreaterThan(10);
  expect((await ask('vectors', meaning.place)).texts).toEqual([]);
});

it('an endpoint that fails costs a warning', async () => {
  const { offered, warnings } = await ask('failure');
  expect(offered).toHaveLength(8);
  expect(warnings).toEqual([expect.stringContaining('answered with status 500')]);
});

it('one that is silent costs a second and a half, and a warning', async () => {
  const before = performance.now();
  const { offered, warnings } = await ask('silence');
  expect(offered).toHaveLength(8);
  expect(warnings).toEqual([expect.stringContaining('did not answer within 1.5 s')]);
  expect(performance.now() - before).toBeLessThan(20_000);
});
