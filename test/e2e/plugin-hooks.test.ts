import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { makePlace, run } from './program.ts';

it('doctor names the installed plugins whose hooks do not run', async () => {
  const place = makePlace();
  const put = (plugin: string, file: string, text: string): void => {
    const at = path.join(place.home, '.claude/plugins/cache/market', plugin, '1.0.0', file);
    fs.mkdirSync(path.dirname(at), { recursive: true });
    fs.writeFileSync(at, text);
  };
  put('usual', 'hooks/hooks.json', JSON.stringify({ hooks: { SessionStart: [{ hooks: [{ type: 'command', command: 'true' }] }] } }));
  put('named', '.claude-plugin/plugin.json', JSON.stringify({ name: 'named', hooks: './other.json' }));
  put('broken', 'hooks/hooks.json', '{');
  put('plain', '.claude-plugin/plugin.json', JSON.stringify({ name: 'plain' }));
  const { stdout } = await run(place, ['doctor']);
  const named = [...stdout.matchAll(/those of the plugin (\w+) never run/g)].map(([, name]) => name);
  expect(named.toSorted()).toEqual(['broken', 'named', 'usual']);
});
