import { createHash } from 'node:crypto';
import fs from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import path from 'node:path';
import { expect, it } from 'vitest';
import { serve } from '../egress/servers.ts';
import { skillMd, tgzOf, zipOf } from '../skills/library/archives.ts';
import { gitBackend, testRepository } from '../skills/library/git-server.ts';
import { makePlace, oneLineOf, run, writeSettings, type Ended, type Place } from './program.ts';

const TARBALL = tgzOf([{ path: 'package/SKILL.md', data: skillMd('pdf', 'The one of the package.') }]);

/** A place with the skill `pdf` installed from a folder, archives beside it, and a server whose host is allowed. */
async function library(): Promise<{ readonly place: Place; readonly url: string; readonly skills: (args: readonly string[], env?: Readonly<Record<string, string>>) => Promise<Ended>; readonly state: () => unknown }> {
  const place = makePlace();
  const put = (name: string, data: string | Buffer): void => {
    fs.mkdirSync(path.dirname(path.join(place.project, name)), { recursive: true });
    fs.writeFileSync(path.join(place.project, name), data);
  };
  const whole = await zipOf({ 'pdf/SKILL.md': skillMd('pdf', 'Of the archive.'), 'pdf/big.bin': Buffer.alloc(5_000, 7) });
  put('pdf/SKILL.md', skillMd('pdf'));
  put('root.zip', await zipOf({ 'SKILL.md': skillMd('pdf'), 'run.py': 'x' }));
  put('none.zip', await zipOf({ 'docs/readme.md': '# x' }));
  put('cut.zip', whole.subarray(0, whole.length - 30));
  put('twins.zip', await zipOf({ 'a/SKILL.md': skillMd('pdf'), 'b/SKILL.md': skillMd('pdf', 'Another one.') }));
  put('clash.zip', whole);
  put('link/SKILL.md', skillMd('pdf'));
  fs.symlinkSync('/etc/passwd', path.join(place.project, 'link/secret'));
  put('round/SKILL.md', skillMd('pdf'));
  put('round/sub/x.md', 'x');
  fs.symlinkSync('..', path.join(place.project, 'round/sub/up'));
  const repositories = path.join(place.root, 'git');
  testRepository(path.join(repositories, 'skills.git')).commit({ 'pdf/SKILL.md': skillMd('pdf', 'Of the repository.') });
  const server = await serve(site(gitBackend(repositories), whole));
  writeSettings(place, { network: { allow: [server.host, 'localhost:9'] } });
  const skills = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ended> => run(place, ['skills', ...args], { env: { npm_config_registry: `${server.url}/npm`, ...env } });
  expect((await skills(['install', './pdf'])).code).toBe(0);
  const data = path.join(place.data, 'skills');
  const state = (): unknown => Object.fromEntries(fs.readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map(({ parentPath, name }) => [path.join(parentPath, name), fs.readFileSync(path.join(parentPath, name), 'utf8')]));
  return { place, url: server.url, skills, state };
}

function site(git: RequestListener, archive: Buffer): RequestListener {
  const release = (name: string, integrity: string): string => JSON.stringify({ 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': { dist: { tarball: `/${name}.tgz`, integrity } } } });
  const sha512 = `sha512-${createHash('sha512').update(TARBALL).digest('base64')}`;
  const cut = (response: ServerResponse, data: Buffer): void => {
    response.writeHead(200, { 'content-length': data.length }).write(data.subarray(0, 20));
    setTimeout(() => response.destroy(), 30);
  };
  return (request, response) => {
    const { url = '' } = request;
    if (url.startsWith('/skills.git')) git(request, response);
    else if (url.startsWith('/cut.git')) cut(response, Buffer.from('001e# service=git-upload-pack\n0000'));
    else if (url === '/npm/changed') response.end(release('package', 'sha512-AAAA'));
    else if (url === '/npm/cut') response.end(release('cut', sha512));
    else if (url === '/npm/ill') response.writeHead(503).end();
    else if (url === '/package.tgz') response.end(TARBALL);
    else if (url === '/cut.tgz') cut(response, TARBALL);
    else if (url === '/cut.zip') cut(response, archive);
    else response.writeHead(404).end();
  };
}

it('an installation that cannot be done ends with one line and its exit code, and what was there stays', { timeout: 120_000 }, async () => {
  const { place, url, skills, state } = await library();
  const noGit = path.join(place.root, 'bin');
  fs.mkdirSync(noGit);
  const before = state();
  const cases: readonly (readonly [source: string, code: number, says: RegExp, env?: Readonly<Record<string, string>>])[] = [
    ['./root.zip', 6, /root\.zip is refused: SKILL\.md lies at the root.*Repack it/],
    ['./none.zip', 6, /none\.zip is refused: it holds no SKILL\.md/],
    ['./cut.zip', 6, /cut\.zip is refused: the archive is damaged/],
    ['./twins.zip', 6, /two different skills called pdf/],
    ['./link', 6, /"secret" leads out of the source/],
    ['./round', 6, /leads back to a folder above it/],
    ['./gone.zip', 5, /gone\.zip does not exist/],
    [`git+${url}/absent.git`, 5, /absent\.git is no repository that can be read without a login\. Check the address/],
    [`git+${url}/skills.git/.git#later`, 5, /has no branch, tag or commit later\. Check the name/],
    [`git+${url}/skills.git/.git#main:docs`, 5, /has no folder docs at the commit/],
    [`git+${url}/skills.git/.git`, 5, /git was not found\. Install git/, { PATH: noGit }],
    [`git+${url}/cut.git`, 1, /cut\.git cannot be fetched: .*Try again; nothing was kept/],
    ['npm:absent', 5, /The registry http.*\/npm\/ has no package absent\. Check the name/],
    ['npm:changed', 6, /package\.tgz is refused: its bytes hash to sha512-.*, not to sha512-AAAA/],
    ['npm:cut', 1, /cut\.tgz was not received whole.*try again/],
    ['npm:ill', 1, /answered with the status 503\. Try again later/],
    ['npm:down', 1, /http:\/\/localhost:9\/down cannot be reached.*Check the address and the connection/, { npm_config_registry: 'http://localhost:9' }],
    [`${url}/cut.zip`, 1, /cut\.zip was not received whole.*try again/],
    [`${url}/absent.zip`, 5, /absent\.zip does not exist \(status 404\)/],
    [url, 5, /index\.json does not exist/],
  ];
  for (const [source, code, says, env] of cases) {
    const ended = await skills(['install', source, '--replace', '--yes'], env);
    expect({ source, code: ended.code, stdout: ended.stdout, line: oneLineOf(ended) }).toEqual({ source, code, stdout: '', line: expect.stringMatching(says) });
    expect(state(), source).toEqual(before);
  }
  const clash = await skills(['install', './clash.zip']);
  expect([clash.code, oneLineOf(clash), state()]).toEqual([6, expect.stringMatching(/A skill pdf is already in .*say --replace/), before]);
  expect(fs.readdirSync(place.env['TMPDIR'] ?? '').filter((name) => name.startsWith('skillmint-'))).toEqual([]);
});

it.each([
  ['broken', '{"version": 1, "skills": {', /skills\.lock\.json is no JSON.*Nothing was changed: mend it, restore it, or move it away/],
  ['of a newer version', '{"version": 2, "skills": {}}', /skills\.lock\.json has version 2, which a newer skillmint has written.*Update skillmint/],
])('a lock file that is %s stops every change of the library, and stays as it is', async (_, text, says) => {
  const { place, skills, state } = await library();
  fs.writeFileSync(path.join(place.data, 'skills', 'skills.lock.json'), text);
  const before = state();
  for (const args of [['install', './clash.zip', '--replace', '--yes'], ['install', '--frozen'], ['update', '--yes'], ['remove', 'pdf', '--yes'], ['edit', 'pdf', '--description', 'Other.'], ['create', 'new', '--description', 'New.']]) {
    const ended = await skills(args);
    expect({ args, code: ended.code, line: oneLineOf(ended) }).toEqual({ args, code: 6, line: expect.stringMatching(says) });
    expect(state(), args.join(' ')).toEqual(before);
  }
  expect((await skills(['list'])).stdout).toContain('loaded    user:pdf');
});
