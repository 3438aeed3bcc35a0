import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { makePlace, programArgv, run } from './program.ts';

/** Gives a program a terminal and passes on what it writes there. */
const SCRIPT = '/usr/bin/script';

it.skipIf(process.platform !== 'linux' || !fs.existsSync(SCRIPT))('markup, addresses and control characters of a skill are shown as text, and nothing is loaded (C-M4, needs script of util-linux)', async () => {
  const place = makePlace();
  let requests = 0;
  const server = http.createServer((_request, response) => { requests += 1; response.end(); });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => { server.close(); });
  // A server that listens on a port always has an address with one.
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/x.png`;
  const steering = '\u001b[2J\u001b]0;TITLE\u0007\u009b31m\u202e';
  const file = path.join(place.home, '.agents/skills/shiny/SKILL.md');
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `---\nname: shiny\ndescription: "Shines.${JSON.stringify(steering).slice(1, -1)} <script>alert(1)</script> ![x](${url})"\nlicense: "${JSON.stringify(steering).slice(1, -1)}"\n---\n\n${steering}<script src="${url}"></script> [go](javascript:alert(1)) ![x](${url})\n`);
  for (const args of [['skills', 'list'], ['skills', 'show', 'shiny'], ['skills', 'validate', file], ['skills', 'trust', 'shiny']]) {
    // All bytes that reach the terminal; NO_COLOR keeps the program's own sequences out.
    const shown = spawnSync(SCRIPT, ['-qec', [...programArgv(), ...args].map((word) => `'${word}'`).join(' '), '/dev/null'], { cwd: place.project, env: { ...place.env, NO_COLOR: '1' }, input: 'n\n', encoding: 'utf8' }).stdout;
    expect(shown, args.join(' ')).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e]/);
    if (args[1] === 'list' || args[1] === 'show') expect(shown).toContain(String.raw`\u001b[2J`);
  }
  const { stdout } = await run(place, ['skills', 'show', 'shiny', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ name: 'shiny' });
  expect(requests).toBe(0);
}, 60_000);
