import { execFileSync } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Encrypter } from 'age-encryption';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { digestSkill } from '../../../src/skills/digest.ts';
import { makePack } from '../../../src/skills/pack/make-pack.ts';
import { openSkillpack, type OpenedPack, type OpenPackOptions } from '../../../src/skills/pack/open-skillpack.ts';
import { encryptPack, identitiesIn, makeIdentity } from '../../../src/skills/pack/pack-encryption.ts';
import { readPack } from '../../../src/skills/pack/read-pack.ts';
import { makeSigningKey, publicKeyOf, readSigningKey } from '../../../src/skills/pack/signing-key.ts';
import { makePlace, type Place } from '../place.ts';
import { acceptedChanges, flipped } from './changed-bytes.ts';

const tree = localTree();
const LONG = `references/${'deep/'.repeat(18)}${'long-name-'.repeat(8)}é.md`;

interface Setting extends Place {
  readonly skillPlace: { readonly folder: string; readonly file: string };
  open(bytes: Uint8Array, options?: Partial<OpenPackOptions>): Promise<OpenedPack>;
}

function setting(): Setting {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const folder = place.skill('one', { more: 'allowed-tools: Read\n', body: 'Do it.\n' });
  const script = place.write('one/scripts/go.sh', '#!/bin/sh\ntouch ran\n');
  fs.chmodSync(script, 0o755);
  place.write('one/empty.txt', '');
  place.write(`one/${LONG}`, 'far down\n');
  place.write('one/.git/config', 'secret');
  let made = 0;
  return {
    ...place,
    skillPlace: { folder, file: path.join(folder, 'SKILL.md') },
    open: (bytes, options = {}) => {
      made += 1;
      const file = place.write(`in-${made}.skillpack`, '');
      fs.writeFileSync(file, bytes);
      const to = path.join(place.root, `to-${made}`);
      fs.mkdirSync(to);
      return openSkillpack(file, { tree, to, identities: [], signers: new Map(), accept: async () => true, ...options });
    },
  };
}

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;

/** A step that hits each kind of place; the soak tries every byte. */
const STEP = 7;

describe('a skillpack', () => {
  it('comes back as it was: content, modes, digest, long names; no version history', async () => {
    const { skillPlace, open } = setting();
    const { bytes, manifest } = await makePack(tree, skillPlace);
    const opened = await open(bytes);
    expect(opened).toMatchObject({ signer: undefined, encrypted: false, manifest: { name: 'one', description: 'Does one.', digest: digestSkill(tree, skillPlace.folder).digest } });
    expect(manifest.files.map((file) => file.path)).toEqual(['SKILL.md', 'empty.txt', LONG, 'scripts/go.sh']);
    for (const { path: file, mode } of manifest.files) {
      const target = path.join(opened.folder, file);
      expect([fs.readFileSync(target), (fs.statSync(target).mode & 0o777).toString(8)]).toEqual([fs.readFileSync(path.join(skillPlace.folder, file)), mode]);
    }
    expect(digestSkill(tree, opened.folder).digest).toBe(manifest.digest);
    expect([path.basename(opened.folder), fs.existsSync(path.join(opened.folder, '.git'))]).toEqual(['one', false]);
  });

  it('is the same for the same files, whenever and wherever they were written', async () => {
    const { root, skillPlace } = setting();
    const copy = path.join(root, 'elsewhere', 'one');
    fs.cpSync(skillPlace.folder, copy, { recursive: true });
    fs.utimesSync(path.join(copy, 'SKILL.md'), 1, 1);
    const [first, second] = await Promise.all([makePack(tree, skillPlace), makePack(tree, { folder: copy, file: path.join(copy, 'SKILL.md') })]);
    expect(Buffer.compare(first.bytes, second.bytes)).toBe(0);
    const key = newKey();
    const signed = await Promise.all([makePack(tree, skillPlace, key), makePack(tree, skillPlace, key)]);
    expect(Buffer.compare(signed[0].bytes, signed[1].bytes)).toBe(0);
  });

  it('is a tar that other programs unpack', async () => {
    const { root, skillPlace, write } = setting();
    const file = write('pack.tar', '');
    fs.writeFileSync(file, (await makePack(tree, skillPlace, newKey())).bytes);
    const out = path.join(root, 'out');
    fs.mkdirSync(out);
    execFileSync('tar', ['-xf', file, '-C', out]);
    expect(fs.readFileSync(path.join(out, 'skill', LONG), 'utf8')).toBe('far down\n');
    expect(fs.readdirSync(out).sort()).toEqual(['skill', 'skillpack.json', 'skillpack.seal.json']);
  });

  it.each([['unsigned', undefined], ['signed', newKey()]])('%s: one changed byte is refused wherever it is, and so is any cut', async (_, key) => {
    const { skillPlace, write } = setting();
    fs.rmSync(path.join(skillPlace.folder, 'references'), { recursive: true });
    write('one/notes.md', 'x'.repeat(700));
    const { bytes } = await makePack(tree, skillPlace, key);
    expect(readPack(bytes).manifest.files.length).toBe(4);
    expect(acceptedChanges(bytes, STEP)).toEqual([]);
    for (const length of [0, 1, 511, 512, 1024, bytes.length - 1024, bytes.length - 512, bytes.length - 1]) expect(() => readPack(bytes.subarray(0, length))).toThrow(expect.objectContaining({ code: 'skillpack_refused' }));
    expect(() => readPack(Buffer.concat([bytes, Buffer.alloc(512)]))).toThrow('its end was changed');
  });

  it('leaves nothing behind when it is refused', async () => {
    const { root, skillPlace, open } = setting();
    const { bytes } = await makePack(tree, skillPlace);
    await expect(open(flipped(bytes, bytes.length - 1100))).rejects.toThrow(/in-1\.skillpack is refused: .*was changed/);
    await expect(open(bytes, { accept: async () => false })).rejects.toThrow('nobody has signed it');
    expect([fs.readdirSync(path.join(root, 'to-1')), fs.readdirSync(path.join(root, 'to-2'))]).toEqual([[], []]);
  });
});

describe('a signature', () => {
  it('names its signer, whom the person may know', async () => {
    const { skillPlace, open } = setting();
    const key = newKey();
    const { bytes } = await makePack(tree, skillPlace, key);
    expect((await open(bytes)).signer).toEqual({ publicKey: publicKeyOf(key), fingerprint: expect.stringMatching(/^SHA256:[\w-]{43}$/), name: undefined });
    expect((await open(bytes, { signers: new Map([['Ann', publicKeyOf(key)]]) })).signer?.name).toBe('Ann');
    await expect(open(bytes, { accept: async (signer) => signer?.name !== undefined })).rejects.toThrow('you do not know its signer, SHA256:');
  });

  it('of one pack does not fit another, and nobody can put another name below it', async () => {
    const { skillPlace } = setting();
    const [ann, eve] = [newKey(), newKey()];
    const signed = Buffer.from((await makePack(tree, skillPlace, ann)).bytes);
    const named = Buffer.from(signed.toString('latin1').replace(publicKeyOf(ann), publicKeyOf(eve)), 'latin1');
    expect(() => readPack(named)).toThrow('its signature does not fit');
    fs.appendFileSync(skillPlace.file, 'Evil.\n');
    const other = (await makePack(tree, skillPlace, ann)).bytes;
    const start = signed.indexOf('skillpack.seal.json');
    const mixed = Buffer.from(other);
    signed.copy(mixed, start, start, start + 1024);
    expect(() => readPack(mixed)).toThrow('its manifest is not the one that was sealed');
  });

  it('needs a key file that is for its owner only, of the right kind, and new', async () => {
    const { root, write } = setting();
    const file = path.join(root, 'key.pem');
    const publicKey = await makeSigningKey(file);
    expect([fs.statSync(file).mode & 0o777, publicKeyOf(await readSigningKey(file)), publicKeyOf(createPrivateKey(fs.readFileSync(file)))]).toEqual([0o600, publicKey, publicKey]);
    await expect(makeSigningKey(file)).rejects.toThrow('is already there and was not changed');
    fs.chmodSync(file, 0o644);
    await expect(readSigningKey(file)).rejects.toMatchObject({ code: 'permission_denied', message: expect.stringContaining('chmod 600') });
    const odd = write('odd.pem', 'hello');
    fs.chmodSync(odd, 0o600);
    await expect(readSigningKey(odd)).rejects.toThrow(/odd\.pem holds no key to sign with/);
    fs.writeFileSync(odd, generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({ type: 'pkcs8', format: 'pem' }));
    await expect(readSigningKey(odd)).rejects.toThrow('another kind than Ed25519');
    await expect(readSigningKey(path.join(root, 'none.pem'))).rejects.toMatchObject({ code: 'io' });
  });
});

describe('encryption', () => {
  it('opens for its recipients and for nobody else', async () => {
    const { skillPlace, open } = setting();
    const [ann, ben, eve] = await Promise.all([makeIdentity(), makeIdentity(), makeIdentity()]);
    const made = await makePack(tree, skillPlace, newKey());
    const sealed = await encryptPack(made.bytes, { recipients: [ann.recipient, ben.recipient] });
    expect(Buffer.from(sealed).includes('SKILL.md')).toBe(false);
    for (const { identity } of [ann, ben]) expect((await open(sealed, { identities: identitiesIn(`# mine\n\n${eve.identity}\r\n ${identity}\n`) })).encrypted).toBe(true);
    await expect(open(sealed, { identities: [eve.identity] })).rejects.toThrow('it is encrypted for others: none of your identities is one of its recipients');
    await expect(open(sealed)).rejects.toThrow('Give your age identity with --identity FILE');
    await expect(open(sealed, { identities: ['AGE-SECRET-KEY-1WRONG'] })).rejects.toMatchObject({ code: 'invalid_argument', message: expect.not.stringContaining('WRONG') });
    await expect(encryptPack(made.bytes, { recipients: ['age1nobody'] })).rejects.toThrow('"age1nobody" is not a recipient');
  });

  it('refuses a changed byte in its header and in its content', async () => {
    const { skillPlace, open } = setting();
    const { identity, recipient } = await makeIdentity();
    const sealed = await encryptPack((await makePack(tree, skillPlace)).bytes, { recipients: [recipient] });
    const header = Buffer.from(sealed).indexOf('\n---') + 60;
    const places = [...Array.from({ length: header }, (_, i) => i), header + 100, sealed.length - 17, sealed.length - 1];
    const accepted: number[] = [];
    for (const at of places) {
      try {
        await open(flipped(sealed, at), { identities: [identity] });
        accepted.push(at);
      } catch (error) {
        expect(error).toMatchObject({ code: 'skillpack_refused' });
      }
    }
    expect(accepted).toEqual([]);
  });

  it('with a passphrase opens with it alone, and asks for no more work than is reasonable', async () => {
    const { skillPlace, open } = setting();
    const { bytes } = await makePack(tree, skillPlace);
    const made = Buffer.from(await encryptPack(bytes, { passphrase: 'correct horse' })).toString('latin1');
    expect(made).toMatch(/^age-encryption\.org\/v1\n-> scrypt \S+ 18\n/);
    await expect(open(Buffer.from(made.replace(/(scrypt \S+) 18/, '$1 20'), 'latin1'), { passphrase: 'correct horse' })).rejects.toThrow('more work than is reasonable');
    // The same with less work, which takes seconds at its full size.
    const encrypter = new Encrypter();
    encrypter.setPassphrase('correct horse');
    encrypter.setScryptWorkFactor(8);
    const sealed = await encrypter.encrypt(bytes);
    expect((await open(sealed, { passphrase: 'correct horse' })).manifest.name).toBe('one');
    await expect(open(sealed, { passphrase: 'wrong' })).rejects.toThrow('the passphrase is not the one that it was encrypted with');
    await expect(open(sealed, { identities: [(await makeIdentity()).identity] })).rejects.toThrow('--passphrase-file FILE');
  }, 30_000);
});

describe('what cannot be packed', () => {
  it('links out of the skill and to folders; one to a file within becomes a copy', async () => {
    const { skillPlace, write, open } = setting();
    const link = path.join(skillPlace.folder, 'link');
    fs.symlinkSync('scripts/go.sh', link);
    const opened = await open((await makePack(tree, skillPlace)).bytes);
    expect(fs.lstatSync(path.join(opened.folder, 'link')).isFile()).toBe(true);
    for (const target of ['scripts', write('outside', ''), '/nowhere']) {
      fs.rmSync(link);
      fs.symlinkSync(target, link);
      await expect(makePack(tree, skillPlace)).rejects.toMatchObject({ code: 'skillpack_refused', message: expect.stringContaining('link') });
    }
  });

  it.each([['con.txt', 'for a device'], ['a:b', 'a colon'], ['end ', 'ends with a full stop or a space'], ['back\\slash', 'not every system can store'], ['what?', 'not every system can store'], ['line\nend', 'control or invisible']])('a file called %j, which not every system can store', async (name, why) => {
    const { skillPlace } = setting();
    fs.writeFileSync(path.join(skillPlace.folder, name), '');
    await expect(makePack(tree, skillPlace)).rejects.toMatchObject({ code: 'skillpack_refused', message: expect.stringContaining(why) });
  });

  it('names that are one where letter case does not count', async () => {
    const { skillPlace, write } = setting();
    write('one/Readme.md', '');
    write('one/README.md', '');
    const areTwo = fs.readdirSync(skillPlace.folder).filter((name) => /^readme/i.test(name)).length === 2;
    const outcome = await makePack(tree, skillPlace).then(() => 'packed', (error: unknown) => String(error));
    expect(outcome).toMatch(areTwo ? /in the way of another/ : /^packed$/);
  });

  it('more than the limit, and what is no skill', async () => {
    const { skillPlace, write, root } = setting();
    const big = write('one/big.bin', '');
    fs.truncateSync(big, 51 * 1024 * 1024);
    await expect(makePack(tree, skillPlace)).rejects.toThrow(/bytes; 52428800 are the limit/);
    fs.truncateSync(big, 0);
    fs.writeFileSync(skillPlace.file, '');
    await expect(makePack(tree, skillPlace)).rejects.toThrow('neither a description nor a body');
    await expect(makePack(tree, { folder: root, file: path.join(root, 'SKILL.md') })).rejects.toMatchObject({ code: 'skillpack_refused' });
  });
});
