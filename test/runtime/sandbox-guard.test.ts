import fs from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Host } from '../../src/host/host.ts';
import { localHost } from '../../src/host/local-host.ts';
import { sandboxGuard, type SandboxGuard, type WrapOptions } from '../../src/runtime/permissions/sandbox-guard.ts';
import { makePlace, withoutBubblewrap, type Place } from '../sandbox/helpers.ts';

/** A machine whose data folder, below the home, is known by a symlink. */
function makeGuard(): { readonly place: Place; readonly guard: SandboxGuard; readonly parts: WrapOptions['parts'] } {
  const place = makePlace();
  const data = `${place.base}/link/.skillmint`;
  fs.symlinkSync(place.home, `${place.base}/link`);
  const guard = sandboxGuard({ platform: 'linux', home: place.home, dataFolder: data });
  onTestFinished(async () => {
    await guard.close();
    fs.rmSync(place.base, { recursive: true, force: true });
  });
  return { place, guard, parts: { env: place.env, home: place.home, dataFolder: data, workFolder: data } };
}

async function outputOf(host: Host, script: string, { place, cwd }: { readonly place: Place; readonly cwd: string }): Promise<string> {
  let out = '';
  const exit = await host.start({ argv: ['/bin/sh', '-c', script], cwd, env: place.env, onOutput: (chunk, stream) => { if (stream === 'stdout') out += new TextDecoder().decode(chunk); } }).exit;
  expect(exit).toMatchObject({ code: 0 });
  return out;
}

describe.skipIf(withoutBubblewrap)('C-S2: a data folder that is known by a symlink is hidden (needs bubblewrap)', () => {
  it('from a workspace that holds it', async () => {
    const { place, guard, parts } = makeGuard();
    const host = guard.wrap({ host: localHost(), choice: await guard.choose('required'), sessionId: 's', workspace: () => ({ roots: [place.home], readableRoots: [], home: place.home }), trustedFolders: [], limits: { memoryMb: 256, processes: 32 }, grants: () => ({ hosts: [], refused: [] }), allow: [], parts });
    expect(await outputOf(host, 'echo x > made; cat .skillmint/config.json || echo hidden', { place, cwd: place.home })).toBe('hidden\n');
    expect(fs.existsSync(`${place.home}/made`)).toBe(true);
  });

  it('from a script whose skill holds it', async () => {
    const { place, guard, parts } = makeGuard();
    const folders = { writable: [place.ws], readable: [place.home], temporary: place.ws };
    const host = guard.wrapScript({ host: localHost(), choice: await guard.choose('required'), folders, limits: { memoryMb: 256, processes: 32 }, grants: { hosts: [], refused: [] }, allow: [], parts });
    expect(await outputOf(host, `cat ${place.home}/.skillmint/config.json || echo hidden`, { place, cwd: place.ws })).toBe('hidden\n');
  });
});
