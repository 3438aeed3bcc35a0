import fs from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import { sandboxGuard } from '../../src/runtime/sandbox-guard.ts';
import { makePlace, withoutBubblewrap } from '../sandbox/helpers.ts';

it.skipIf(withoutBubblewrap)('C-S2: hides the data folder from a workspace that holds it, also where it is known by a symlink (needs bubblewrap)', async () => {
  const place = makePlace();
  const data = `${place.base}/link/.skillmint`;
  fs.symlinkSync(place.home, `${place.base}/link`);
  const guard = sandboxGuard({ platform: 'linux', home: place.home, dataFolder: data });
  onTestFinished(async () => {
    await guard.close();
    fs.rmSync(place.base, { recursive: true, force: true });
  });
  const parts = { env: place.env, home: place.home, dataFolder: data, workFolder: data };
  const host = guard.wrap({ host: localHost(), choice: await guard.choose('required'), sessionId: 's', workspace: () => ({ roots: [place.home], readableRoots: [], home: place.home }), trustedFolders: [], limits: { memoryMb: 256, processes: 32 }, grants: () => ({ hosts: [], refused: [] }), allow: [], parts });
  let out = '';
  const exit = await host.start({ argv: ['/bin/sh', '-c', 'echo x > made; cat .skillmint/config.json || echo hidden'], cwd: place.home, env: place.env, onOutput: (chunk, stream) => { if (stream === 'stdout') out += new TextDecoder().decode(chunk); } }).exit;
  expect(exit).toMatchObject({ code: 0 });
  expect(out).toBe('hidden\n');
  expect(fs.existsSync(`${place.home}/made`)).toBe(true);
});
