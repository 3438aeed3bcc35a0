import { execFileSync, spawnSync } from 'node:child_process';
import dgram from 'node:dgram';
import fs from 'node:fs';
import http from 'node:http';
import net from 'node:net';
import path from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { NOBODY, withoutAnotherUser } from '../helpers/another-user.ts';
import { eventsOf, makePlace, MODEL, oneLineOf, run, withoutBubblewrap, withoutRoot, withProvider, writeSkill, type Ended, type Place } from './program.ts';

const bash = (command: string) => ({ calls: [{ name: 'Bash', input: { command } }] });
const FREE = [...MODEL, '--permission-mode', 'unrestricted', '--sandbox', 'required'] as const;

/** Who runs the program: whoever runs the tests (root in most containers), and a user without rights. */
const USERS = [
  { who: 'as the user of the tests', spawn: {}, missing: false },
  { who: 'as an ordinary user (needs root to become one)', spawn: NOBODY, missing: withoutAnotherUser },
];

function giveAll(folder: string): void {
  execFileSync('chown', ['-R', `${NOBODY.uid}:${NOBODY.gid}`, folder]);
}

function portOf(server: net.Server): number {
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

async function listen<S extends net.Server>(server: S): Promise<S> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return server;
}

describe.each(USERS)('the sandbox $who', ({ spawn, missing }) => {
  describe.skipIf(withoutBubblewrap || missing)('(needs bubblewrap)', () => {
    let place: Place;
    beforeEach(() => { place = makePlace(); });

    /** What a command of a turn said; the turn runs with every permission. */
    async function said(command: string, flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<string> {
      const provider = await withProvider(place, { steps: [bash(command), 'done'] });
      if ('uid' in spawn) giveAll(place.root);
      const ended = await run(place, ['run', 'go', ...FREE, ...flags, '--output', 'stream-json'], { spawn, env });
      expect(ended, ended.stderr).toMatchObject({ code: 0 });
      expect(eventsOf(ended.stdout)[0]).toMatchObject({ sandbox: 'isolated' });
      const messages = JSON.parse(provider.requests[1]?.text ?? '{}') as { readonly messages?: readonly { readonly content: unknown }[] };
      return String(messages.messages?.at(-1)?.content);
    }

    it('C-S1: nothing can be written but the workspace: 0 of 9', async () => {
      const evil = `${place.root}/project-evil`;
      fs.mkdirSync(evil);
      fs.symlinkSync(evil, `${place.project}/link`);
      fs.mkdirSync(`${place.project}/.git/hooks`, { recursive: true });
      const skill = writeSkill(`${place.data}/skills`, { name: 'pdf' });
      const mark = `skillmint-${path.basename(place.root)}`;
      const targets = [`${evil}/x`, `${place.project}/link/x`, `/etc/${mark}`, `${place.home}/x`, `/tmp/${mark}`, `${skill}/x`, `${place.data}/settings-x.json`, `${place.project}/.git/hooks/pre-commit`, `${place.project}/.mcp.json`];
      const text = await said(`${targets.map((file) => `{ echo evil > ${file}; } 2>/dev/null`).join('; ')}; echo fine > inside; cat inside`, ['--skill', 'pdf']);
      expect(text).toBe('fine');
      // What is written to /tmp lands in a folder of the session, which goes with it.
      expect(targets.filter((file) => fs.existsSync(file))).toEqual([]);
    });

    it('C-S2: nothing secret can be read: 0 readable', async () => {
      const files = [`${place.home}/.ssh/id_rsa`, `${place.home}/.aws/credentials`, `${place.home}/.mozilla/firefox/logins.json`, `${place.root}/other-user/workspace/key`];
      for (const file of files) {
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, 'SECRET of the person');
      }
      const all = [...files, `${place.data}/skillmint.db`, `${place.data}/config.json`, '/etc/shadow', `/proc/${process.pid}/environ`];
      const text = await said(`${all.map((file) => `cat ${file} 2>/dev/null && echo READ ${file}`).join('; ')}; cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep SECRET; echo end`, [], { SOME_TOKEN: 'SECRET of the environment' });
      expect(text).toBe('end');
    });

    it('C-S4: nothing can be connected to: 0 succeed', async () => {
      const server = await listen(net.createServer((socket) => socket.end('hello')));
      const udp = dgram.createSocket('udp4');
      let heard = 0;
      udp.on('message', () => { heard += 1; });
      await new Promise<void>((resolve) => udp.bind(0, '127.0.0.1', resolve));
      onTestFinished(() => void udp.close());
      const lines = [`127.0.0.1/${portOf(server)}`, '169.254.169.254/80', '1.1.1.1/443', '8.8.8.8/53', '10.0.0.1/80'].map((at) => `timeout 2 bash -c 'true 3<>/dev/tcp/${at}' 2>/dev/null && echo CONNECTED ${at}`);
      const text = await said(`${lines.join('; ')}; echo x > /dev/udp/127.0.0.1/${udp.address().port}; getent hosts example.com && echo RESOLVED; echo end`);
      expect(text.split('\n').filter((line) => /CONNECTED|RESOLVED/.test(line))).toEqual([]);
      expect(text).toContain('end');
      expect(heard).toBe(0);
    });

    it('C-S6: what was granted is reached, a redirect to something else is not', async () => {
      const away = await listen(http.createServer((_, response) => response.end('AWAY')));
      const granted = await listen(http.createServer((request, response) => {
        if (request.url === '/away') response.writeHead(302, { location: `http://localhost:${portOf(away)}/` }).end();
        else response.end('granted');
      }));
      const text = await said(`curl -sS -L http://localhost:${portOf(granted)}/; curl -sS -L http://localhost:${portOf(granted)}/away`, ['--allow', `Network(localhost:${portOf(granted)})`]);
      expect(text).toMatch(/^granted/);
      expect(text).not.toContain('AWAY');
      expect(text).toContain(`Network(localhost:${portOf(away)})`);
    });

    it('C-S8: no process outside is seen or can be signalled', async () => {
      const text = await said(`kill -0 ${process.pid} 2>/dev/null && echo SIGNALLED; kill -9 -1 2>/dev/null & wait; set -- /proc/[0-9]*; [ $# -lt 10 ] && echo few; grep -l skillmint /proc/[0-9]*/cmdline 2>/dev/null | grep -v self; echo end`);
      expect(text).not.toContain('SIGNALLED');
      expect(text).not.toContain('/proc/');
      process.kill(process.pid, 0);
    });
  });
});

const withoutNamespaceLimit = withoutRoot || spawnSync('unshare', ['-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces']).status !== 0;

describe.skipIf(withoutBubblewrap || withoutNamespaceLimit)('C-S10: where user namespaces are off (needs a namespace whose own limit can be set)', () => {
  const off = (place: Place, args: readonly string[]): Promise<Ended> => run(place, args, { through: ['unshare', '-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"', 'sh'] });

  it('nothing runs in silence: exit code 78 and the sentence that mends it', async () => {
    const place = makePlace();
    const provider = await withProvider(place, { steps: ['never'] });
    const ended = await off(place, ['run', 'x', ...MODEL]);
    expect(ended).toMatchObject({ code: 78, stdout: '' });
    expect(oneLineOf(ended)).toMatch(/max_user_namespaces is 0.*sudo sysctl -w user\.max_user_namespaces=15000/);
    expect(provider.requests).toEqual([]);
  });

  it('doctor says "not isolated" and what to do', async () => {
    const { code, stdout } = await off(makePlace(), ['doctor']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/warn {2}sandbox .*not isolated/);
    expect(stdout).toContain('sudo sysctl -w user.max_user_namespaces=15000');
  });
});
