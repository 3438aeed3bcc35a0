import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { isObject } from '../../src/protocol/json.ts';
import { scriptedModel } from '../../src/testing/scripted-model.ts';
import { makePlace } from '../runtime/open.ts';
import { openServer, type TestServer } from './open-server.ts';

function write(root: string, name: string, text = `---\nname: ${name}\ndescription: The skill ${name}.\n---\n\n# ${name}\n`): void {
  fs.mkdirSync(path.join(root, name), { recursive: true });
  fs.writeFileSync(path.join(root, name, 'SKILL.md'), text);
}

async function trustedOf({ ask }: Pick<TestServer, 'ask'>): Promise<Readonly<Record<string, unknown>>> {
  const { json, text, status } = await ask('GET', '/api/skills');
  expect(status, text).toBe(200);
  return Object.fromEntries((Array.isArray(json['skills']) ? json['skills'] : []).filter(isObject).map((skill) => [String(skill['id']), skill['trusted']]));
}

it('says in the list which skills are trusted as they lie there now, and what has changed since one was', async () => {
  const place = makePlace();
  write(path.join(place.home, '.claude', 'skills'), 'mine');
  write(path.join(place.project, '.claude', 'skills'), 'theirs');
  const server = await openServer(scriptedModel([]), { place });
  expect(await trustedOf(server)).toMatchObject({ 'user:mine': true, 'project:theirs': false, 'bundled:orders-report': true });
  const at = `/api/skills/${encodeURIComponent('project:theirs')}/trust`;
  const seen = await server.ask('GET', at);
  const report = seen.json['report'];
  expect((await server.ask('POST', at, { body: { digest: isObject(report) ? report['digest'] : '' } })).status).toBe(200);
  expect(await trustedOf(server)).toMatchObject({ 'project:theirs': true });
  write(path.join(place.project, '.claude', 'skills'), 'theirs', '---\nname: theirs\ndescription: Another.\nallowed-tools: Bash\n---\n');
  expect(await trustedOf(server)).toMatchObject({ 'project:theirs': false });
  expect((await server.ask('GET', at)).json).toMatchObject({ verdict: { trusted: false, why: 'changed since it was trusted' }, difference: { files: { added: [], removed: [], changed: ['SKILL.md'] }, claims: { grants: { added: ['Bash'], removed: [] } } } });
});
