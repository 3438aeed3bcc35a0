import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { startTerminal, withoutTmux } from '../cli/terminal.ts';
import { makePlace, oneLineOf, run, writeSkill, type Ended, type Place } from './program.ts';

interface Setting {
  readonly place: Place;
  readonly skills: (...args: readonly string[]) => Promise<Ended>;
}

function setting(): Setting {
  const place = makePlace();
  writeSkill(path.join(place.home, '.agents/skills'), { name: 'notes', files: { 'scripts/go.sh': '#!/bin/sh\ntouch "$HOME/ran"\n' } });
  return { place, skills: (...args) => run(place, ['skills', ...args]) };
}

describe('skills pack and unpack', () => {
  it('a pack comes back as it was; none is signed says so; nothing runs, nothing is replaced', async () => {
    const { place, skills } = setting();
    const packed = await skills('pack', 'notes');
    expect(packed).toMatchObject({ code: 0, stdout: `${path.join(place.project, 'notes.skillpack')}\n`, stderr: expect.stringContaining('not signed, not encrypted') });
    expect(await skills('pack', 'notes')).toMatchObject({ code: 6, stderr: expect.stringContaining('already there') });
    expect((await skills('pack', 'notes', '--force')).code).toBe(0);
    const unpacked = await skills('unpack', 'notes.skillpack', '--to', 'look', '--json');
    expect([unpacked.code, JSON.parse(unpacked.stdout), unpacked.stderr]).toEqual([0, { name: 'notes', folder: path.join(place.project, 'look/notes'), digest: expect.stringMatching(/^sha256:/), files: 2, encrypted: false, signer: null }, expect.stringContaining('is not signed')]);
    expect(fs.readFileSync(path.join(place.project, 'look/notes/scripts/go.sh'), 'utf8')).toContain('touch');
    expect(await skills('unpack', 'notes.skillpack', '--to', 'look')).toMatchObject({ code: 6, stderr: expect.stringContaining('already there') });
    expect([fs.readdirSync(path.join(place.project, 'look')), fs.existsSync(path.join(place.home, 'ran'))]).toEqual([['notes'], false]);
  });

  it('an unknown signer is refused without a terminal until their fingerprint is given, and known from then on', async () => {
    const { place, skills } = setting();
    const made = await skills('pack', '--new-key', 'key.pem', '--json');
    const { publicKey, fingerprint } = JSON.parse(made.stdout);
    const packed = await skills('pack', path.join(place.home, '.agents/skills/notes'), '--sign', 'key.pem', '--out', 'a.skillpack', '--json');
    expect(JSON.parse(packed.stdout)).toMatchObject({ name: 'notes', files: 2, encrypted: false, signer: { publicKey, fingerprint } });
    const refused = await skills('unpack', 'a.skillpack', '--to', 'x');
    expect([refused.code, oneLineOf(refused)]).toEqual([6, expect.stringContaining(`--trust-signer ${fingerprint}`)]);
    expect(await skills('unpack', 'a.skillpack', '--to', 'x', '--trust-signer', 'SHA256:other')).toMatchObject({ code: 6, stderr: expect.stringContaining(`it is signed by ${fingerprint}, not by SHA256:other`) });
    expect((await skills('unpack', 'a.skillpack', '--to', 'x', '--trust-signer', fingerprint)).code).toBe(0);
    const again = await skills('unpack', 'a.skillpack', '--to', 'y', '--json');
    expect([again.code, JSON.parse(again.stdout).signer]).toEqual([0, { publicKey, fingerprint, name: expect.stringMatching(/^signer-/) }]);
    expect(fs.statSync(path.join(place.data, 'signers.json')).mode & 0o777).toBe(0o600);
    const bytes = fs.readFileSync(path.join(place.project, 'a.skillpack'));
    bytes[bytes.length - 1500] = (bytes[bytes.length - 1500] ?? 0) ^ 1;
    fs.writeFileSync(path.join(place.project, 'a.skillpack'), bytes);
    expect(await skills('unpack', 'a.skillpack', '--to', 'z')).toMatchObject({ code: 6, stderr: expect.stringContaining('was changed') });
    expect(fs.readdirSync(path.join(place.project, 'z'))).toEqual([]);
    fs.writeFileSync(path.join(place.data, 'signers.json'), '{');
    expect(await skills('unpack', 'a.skillpack', '--to', 'z')).toMatchObject({ code: 2, stderr: expect.stringContaining('signers.json') });
  });

  it('an encrypted pack opens with the right identity or passphrase and with nothing else', async () => {
    const { place, skills } = setting();
    const recipient = (await skills('pack', '--new-identity', 'me.txt')).stdout.trim();
    await skills('pack', '--new-identity', 'other.txt');
    expect(fs.statSync(path.join(place.project, 'me.txt')).mode & 0o777).toBe(0o600);
    expect((await skills('pack', 'notes', '--recipient', recipient, '--out', 'r.skillpack')).code).toBe(0);
    expect(await skills('unpack', 'r.skillpack', '--to', 'x')).toMatchObject({ code: 6, stderr: expect.stringContaining('--identity') });
    expect(await skills('unpack', 'r.skillpack', '--to', 'x', '--identity', 'other.txt')).toMatchObject({ code: 6, stderr: expect.stringContaining('none of your identities is one of its recipients') });
    expect((await skills('unpack', 'r.skillpack', '--to', 'x', '--identity', 'other.txt', '--identity', 'me.txt')).code).toBe(0);
    fs.writeFileSync(path.join(place.project, 'pass'), 'correct horse\nrest\n');
    expect((await skills('pack', 'notes', '--passphrase-file', 'pass', '--out', 'p.skillpack')).code).toBe(0);
    expect((await skills('unpack', 'p.skillpack', '--to', 'y', '--passphrase-file', 'pass')).code).toBe(0);
    expect((await skills('pack', 'notes', '--passphrase-file', 'pass', '--recipient', recipient)).code).toBe(2);
    expect(await skills('pack', 'notes', '--recipient', 'age1x', '--out', 'q.skillpack')).toMatchObject({ code: 2, stderr: expect.stringContaining('is not a recipient') });
    expect(fs.existsSync(path.join(place.project, 'q.skillpack'))).toBe(false);
  });

  it('says what is missing', async () => {
    const { skills } = setting();
    expect((await skills('pack')).code).toBe(2);
    expect((await skills('pack', 'nothing')).code).toBe(5);
    expect((await skills('unpack', 'x.skillpack')).code).toBe(2);
    const gone = await skills('unpack', 'x.skillpack', '--to', 'x');
    expect([gone.code, oneLineOf(gone)]).toEqual([5, expect.stringMatching(/x\.skillpack does not exist\.$/)]);
  });
});

describe('skills install FILE.skillpack', () => {
  const installed = (place: Place): string => path.join(place.data, 'skills/notes');
  const wipe = (place: Place): void => fs.rmSync(installed(place), { recursive: true });

  it('pack, install, wipe, install --frozen; an unknown signer is refused; a dry run remembers nobody', async () => {
    const { place, skills } = setting();
    const { fingerprint } = JSON.parse((await skills('pack', '--new-key', 'key.pem', '--json')).stdout);
    await skills('pack', 'notes', '--sign', 'key.pem');
    fs.rmSync(path.join(place.home, '.agents'), { recursive: true });
    const dry = await skills('install', 'notes.skillpack', '--dry-run');
    expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('would install  user:notes'), stderr: expect.stringContaining(`is signed by ${fingerprint}, whom you do not know yet`) });
    const refused = await skills('install', 'notes.skillpack');
    expect([refused.code, oneLineOf(refused)]).toEqual([6, expect.stringMatching(/^skillmint: \S+notes\.skillpack is refused: you do not know its signer yet\./)]);
    expect(oneLineOf(refused)).toContain(`--trust-signer ${fingerprint}`);
    expect([fs.existsSync(path.join(place.data, 'signers.json')), fs.existsSync(installed(place))]).toEqual([false, false]);
    expect((await skills('install', './notes.skillpack', '--trust-signer', 'SHA256:other')).code).toBe(6);
    const made = await skills('install', './notes.skillpack', '--trust-signer', fingerprint, '--json');
    expect([made.code, JSON.parse(made.stdout)]).toEqual([0, expect.objectContaining({ trusted: false, provenance: { kind: 'skillpack', signer: fingerprint, source: path.join(place.project, 'notes.skillpack') } })]);
    wipe(place);
    expect(await skills('install', '--frozen')).toMatchObject({ code: 0, stderr: expect.stringContaining('installed as locked: notes') });
    expect(fs.readFileSync(path.join(installed(place), 'scripts/go.sh'), 'utf8')).toContain('touch');
    const pack = fs.readFileSync(path.join(place.project, 'notes.skillpack'));
    const before = fs.readFileSync(path.join(place.data, 'skills/skills.lock.json'), 'utf8');
    for (const at of [600, Math.floor(pack.length / 2), pack.length - 1]) {
      const changed = Buffer.from(pack);
      changed[at] = (changed[at] ?? 0) ^ 1;
      fs.writeFileSync(path.join(place.project, 'changed.skillpack'), changed);
      const refusal = await skills('install', './changed.skillpack', '--replace', '--yes');
      expect([at, refusal.code, oneLineOf(refusal)]).toEqual([at, 6, expect.stringContaining('changed.skillpack is refused')]);
    }
    expect([fs.readFileSync(path.join(place.data, 'skills/skills.lock.json'), 'utf8'), fs.readdirSync(installed(place))]).toEqual([before, ['SKILL.md', 'scripts']]);
    expect(await skills('update')).toMatchObject({ code: 0, stderr: 'notes: it came as a skillpack; to update it, install the newer file: skillmint skills install FILE.skillpack --replace\n' });
    wipe(place);
    fs.rmSync(path.join(place.data, 'signers.json'));
    expect(await skills('install', '--frozen')).toMatchObject({ code: 6, stderr: expect.stringContaining('--trust-signer') });
    expect(await skills('install', '--frozen', '--trust-signer', fingerprint)).toMatchObject({ code: 0 });
    expect(fs.existsSync(path.join(place.home, 'ran'))).toBe(false);
  });

  it('an encrypted one needs its identity; what only a skillpack can be told is refused for others; unsigned is said', async () => {
    const { place, skills } = setting();
    const recipient = (await skills('pack', '--new-identity', 'me.txt')).stdout.trim();
    await skills('pack', 'notes', '--recipient', recipient);
    expect(await skills('install', 'notes.skillpack')).toMatchObject({ code: 6, stderr: expect.stringContaining('--identity') });
    await skills('pack', '--new-identity', 'other.txt');
    expect(await skills('install', 'notes.skillpack', '--identity', 'other.txt')).toMatchObject({ code: 6, stderr: expect.stringContaining('none of your identities is one of its recipients') });
    expect(fs.existsSync(installed(place))).toBe(false);
    expect(await skills('install', 'notes.skillpack', '--identity', 'me.txt')).toMatchObject({ code: 0, stderr: expect.stringContaining('is not signed') });
    const folder = path.join(place.home, '.agents/skills/notes');
    const told = await skills('install', folder, '--replace', '--trust-signer', 'SHA256:x');
    expect([told.code, oneLineOf(told)]).toEqual([2, expect.stringContaining('--trust-signer is for a .skillpack')]);
  });
});

describe.skipIf(withoutTmux)('an unknown signer in a terminal (needs tmux)', () => {
  it('is asked about, once', async () => {
    const { place, skills } = setting();
    await skills('pack', '--new-key', 'key.pem');
    await skills('pack', 'notes', '--sign', 'key.pem');
    const no = startTerminal(place, ['skills', 'unpack', 'notes.skillpack', '--to', 'x']);
    await no.shows('Accept this signer from now on?');
    no.type('n');
    expect(await no.ended()).toBe(6);
    fs.rmSync(path.join(place.root, 'status'));
    const yes = startTerminal(place, ['skills', 'unpack', 'notes.skillpack', '--to', 'x']);
    await yes.shows('Accept this signer from now on?');
    yes.type('y');
    expect(await yes.ended()).toBe(0);
    expect((await skills('unpack', 'notes.skillpack', '--to', 'y')).code).toBe(0);
  });
});
