import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { makePack } from '../../../src/skills/pack/make-pack.ts';
import { openSkillpack } from '../../../src/skills/pack/open-skillpack.ts';
import { encryptPack, makeIdentity } from '../../../src/skills/pack/pack-encryption.ts';
import { fingerprint, makeSigningKey, readSigningKey } from '../../../src/skills/pack/signing-key.ts';
import { skillMd, tgzOf, zipOf } from './archives.ts';
import { testLibrary, type TestLibrary } from './library.ts';

const tree = localTree();

/** A library of somebody who accepts every signer, and has these identities. */
function library(identities: readonly string[] = []): TestLibrary {
  return testLibrary({ openPack: (file, to) => openSkillpack(file, { tree, to, signers: new Map(), identities, accept: async () => true }) });
}

/** A pack of one skill with a script; another text gives another skill of the same name. */
async function pack(lib: TestLibrary, { key, text = 'one' }: { readonly key?: string; readonly text?: string } = {}): Promise<Uint8Array> {
  const file = lib.write({ 'made/notes/SKILL.md': skillMd('notes'), 'made/notes/scripts/go.sh': `echo ${text}\n`, 'made/notes/.DS_Store': 'x' });
  fs.chmodSync(path.join(path.dirname(file), 'scripts/go.sh'), 0o755);
  const made = await makePack(tree, { folder: path.dirname(file), file }, key === undefined ? undefined : await readSigningKey(key));
  return made.bytes;
}

const wipe = (lib: TestLibrary): void => fs.rmSync(path.join(lib.skills, 'notes'), { recursive: true });

describe('a skillpack as a source', () => {
  it('is installed with the digest that it says and its signer, and comes back from the file', async () => {
    const lib = library();
    const key = path.join(lib.root, 'key.pem');
    const signer = fingerprint(await makeSigningKey(key));
    const bytes = await pack(lib, { key });
    const digest = /"digest": "(sha256:[0-9a-f]+)"/.exec(Buffer.from(bytes).toString('latin1'))?.[1];
    lib.write({ 'notes.skillpack': Buffer.from(bytes) });
    expect(await lib.install('./notes.skillpack')).toMatchObject({ installed: [{ name: 'notes', digest, files: 3 }], provenance: { kind: 'skillpack', signer } });
    const lock = lib.lock();
    expect(lock.skills['notes']).toMatchObject({ kind: 'skillpack', digest, signer, source: path.join(lib.root, 'notes.skillpack') });
    expect(lib.contents()).toEqual(['notes', 'notes/.DS_Store', 'notes/SKILL.md', 'notes/scripts', 'notes/scripts/go.sh', 'skills.lock.json']);
    wipe(lib);
    expect(await lib.restore()).toMatchObject({ restored: ['notes'] });
    expect([lib.lock(), fs.statSync(path.join(lib.skills, 'notes/scripts/go.sh')).mode & 0o777]).toEqual([lock, 0o755]);
    expect(await lib.update({ names: ['notes'] })).toMatchObject([{ name: 'notes', status: 'skillpack', updated: false }]);
    fs.rmSync(path.join(lib.root, 'notes.skillpack'));
    expect(await lib.update()).toMatchObject([{ status: 'skillpack' }]);
    wipe(lib);
    await expect(lib.restore()).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('notes.skillpack does not exist') });
  });

  it('comes back only as it was: same content, same signer', async () => {
    const lib = library();
    const [key, other] = [path.join(lib.root, 'key.pem'), path.join(lib.root, 'other.pem')];
    await makeSigningKey(key);
    await makeSigningKey(other);
    lib.write({ 'notes.skillpack': Buffer.from(await pack(lib, { key })) });
    await lib.install('./notes.skillpack');
    wipe(lib);
    lib.write({ 'notes.skillpack': Buffer.from(await pack(lib, { key: other })) });
    await expect(lib.restore()).rejects.toMatchObject({ code: 'install_refused', message: expect.stringMatching(/is signed by SHA256:\S+ now, and was signed by SHA256/) });
    lib.write({ 'notes.skillpack': Buffer.from(await pack(lib)) });
    await expect(lib.restore()).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('is not signed now') });
    lib.write({ 'notes.skillpack': Buffer.from(await pack(lib, { key, text: 'two' })) });
    await expect(lib.restore()).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining('no longer what the lock file says') });
    expect(lib.contents()).toEqual(['skills.lock.json']);
  });

  it('that nobody signed is installed without a signer, and may be signed later', async () => {
    const lib = library();
    lib.write({ 'notes.skillpack': Buffer.from(await pack(lib)) });
    await lib.install('./notes.skillpack');
    expect(lib.lock().skills['notes']).not.toHaveProperty('signer');
    const key = path.join(lib.root, 'key.pem');
    await makeSigningKey(key);
    lib.write({ 'notes.skillpack': Buffer.from(await pack(lib, { key })) });
    wipe(lib);
    expect(await lib.restore()).toMatchObject({ restored: ['notes'] });
  });

  it('is refused when one byte was changed, wherever', async () => {
    const lib = library();
    const bytes = Buffer.from(await pack(lib));
    for (let at = 0; at < bytes.length; at += 293) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      lib.write({ 'bad.skillpack': changed });
      await expect(lib.install('./bad.skillpack'), `byte ${at}`).rejects.toMatchObject({ code: expect.stringMatching(/^(?:skillpack|install)_refused$/) });
    }
    expect(lib.contents()).toEqual([]);
  });

  it('that is encrypted opens for its recipient alone, also from the lock file', async () => {
    const [mine, theirs] = [await makeIdentity(), await makeIdentity()];
    const lib = library([mine.identity]);
    const bytes = await pack(lib);
    lib.write({ 'mine.skillpack': Buffer.from(await encryptPack(bytes, { recipients: [mine.recipient] })), 'theirs.skillpack': Buffer.from(await encryptPack(bytes, { recipients: [theirs.recipient] })) });
    await expect(lib.install('./theirs.skillpack')).rejects.toMatchObject({ code: 'skillpack_refused', message: expect.stringContaining('none of your identities') });
    expect(lib.contents()).toEqual([]);
    await lib.install('./mine.skillpack');
    wipe(lib);
    expect(await lib.restore()).toMatchObject({ restored: ['notes'] });
  });

  it('is told from archives by its content where its name says nothing, and never against its name', async () => {
    const lib = library();
    const skill = { 'zipped/SKILL.md': skillMd('zipped') };
    const [plain, zip, tgz] = [Buffer.from(await pack(lib)), await zipOf(skill), tgzOf([{ path: 'zipped/SKILL.md', data: skillMd('zipped') }])];
    lib.write({ 'plain': plain, 'zip': zip, 'tgz': tgz, 'a.skillpack': zip, 'b.skillpack': tgz, 'c.zip': plain, 'd.tgz': plain, 'e.skillpack': 'text', 'text': 'text' });
    for (const [file, says] of [['a.skillpack', 'it is a zip or a .tar.gz file'], ['b.skillpack', 'it is a zip or a .tar.gz file'], ['c.zip', 'it is a skillpack'], ['d.tgz', 'it is a skillpack'], ['e.skillpack', 'nor a skillpack'], ['text', 'is no folder']] as const) {
      await expect(lib.install(`./${file}`), file).rejects.toMatchObject({ code: 'install_refused', message: expect.stringContaining(says) });
    }
    expect(await lib.install('./plain')).toMatchObject({ provenance: { kind: 'skillpack' } });
    for (const file of ['zip', 'tgz']) expect(await lib.install(`./${file}`, { replace: true })).toMatchObject({ provenance: { kind: 'zip' }, installed: [{ name: 'zipped' }] });
    for (const name of ['notes', 'zipped']) fs.rmSync(path.join(lib.skills, name), { recursive: true });
    expect((await lib.restore()).restored.toSorted()).toEqual(['notes', 'zipped']);
  });
});
