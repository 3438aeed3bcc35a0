import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { openSkillpack } from '../../../src/skills/pack/open-skillpack.ts';
import { PACK_LIMITS } from '../../../src/skills/pack/pack-limits.ts';
import { manifestBytes, type PackManifest } from '../../../src/skills/pack/pack-manifest.ts';
import { sealBytes } from '../../../src/skills/pack/pack-seal.ts';
import { paddedSize, TAR_END, tarHeader } from '../../../src/skills/pack/tar-blocks.ts';
import { makePlace } from '../place.ts';

const content = Buffer.from('---\ndescription: x\n---\nbody\n');

/** A pack by somebody who knows the format: everything fits, only what it says is evil. */
function forged(paths: readonly string[], change: (manifest: string) => string = (text) => text, name = 'evil'): Buffer {
  const manifest: PackManifest = { name, description: '', digest: 'sha256:0', files: paths.map((file) => ({ path: file, size: content.length, sha256: createHash('sha256').update(content).digest('hex'), mode: '755' })) };
  const head = Buffer.from(change(manifestBytes(manifest).toString()));
  const padded = (at: string, bytes: Buffer, executable = false): Buffer[] => [tarHeader({ path: at, size: bytes.length, executable }), bytes, Buffer.alloc(paddedSize(bytes.length) - bytes.length)];
  return Buffer.concat([...padded('skillpack.json', head), ...padded('skillpack.seal.json', sealBytes(head)), ...paths.flatMap((file) => padded(`skill/${file}`, content, true)), TAR_END]);
}

/** The message of the refusal; fails where the pack is taken or anything is written. */
async function refusal(bytes: Buffer): Promise<string> {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const file = path.join(place.root, 'evil.skillpack');
  fs.writeFileSync(file, bytes);
  const to = path.join(place.root, 'deep/er/to');
  fs.mkdirSync(to, { recursive: true });
  const before = fs.readdirSync(place.root, { recursive: true }).sort();
  const error: unknown = await openSkillpack(file, { tree: localTree(), to, identities: [], signers: new Map(), accept: async () => true }).then(() => new Error('it was taken'), (fault: unknown) => fault);
  expect(fs.readdirSync(place.root, { recursive: true }).sort()).toEqual(before);
  expect(error).toMatchObject({ code: 'skillpack_refused' });
  return error instanceof Error ? error.message : '';
}

describe('a skillpack that is made to do harm', () => {
  it.each(['../up', '/abs', 'a/../../b', './a', 'a//b', '', 'C:\\x', 'a\\..\\b', 'nul', 'a\0b', '.git/hooks/post-checkout', `${'d/'.repeat(40)}x`, 'x'.repeat(300)])('is refused for the path %j', async (evil) => {
    expect(await refusal(forged(['SKILL.md', evil]))).toMatch(/its file /);
  });

  it.each([[['a', 'A']], [['a', 'a/b']], [['a/b', 'a']], [['\u00e9', 'e\u0301']]])('is refused for files in each other\'s way: %j', async (paths) => {
    expect(await refusal(forged(paths))).toContain('in the way of another');
  });

  it('is refused for a digest that is not that of its files', async () => {
    expect(await refusal(forged(['SKILL.md']))).toContain('another digest than it says');
  });

  it('is refused for a name that leads elsewhere only if its content is; the folder is then called otherwise', async () => {
    for (const name of ['../../x', '/etc', '.hidden', 'a/b']) expect(await refusal(forged(['SKILL.md'], undefined, name))).toContain('another digest than it says');
  });

  it('is refused where a newer version or another form has made it', async () => {
    expect(await refusal(forged(['SKILL.md'], (text) => text.replace('"version": 1', '"version": 2')))).toContain('update skillmint');
    expect(await refusal(forged(['SKILL.md'], (text) => text.replace('"version": 1', '"version": 1, "extra": 1')))).toContain('its manifest was changed');
    expect(await refusal(forged(['SKILL.md'], (text) => text.replace('"755"', '"777"')))).toContain('not in the form of version 1');
    expect(await refusal(forged(['SKILL.md'], (text) => text.replace(/"size": \d+/, '"size": 1e300')))).toContain('not in the form of version 1');
    expect(await refusal(forged(['SKILL.md'], () => 'null'))).toContain('its manifest cannot be read');
  });

  it('is refused for a size that its file does not have', async () => {
    expect(await refusal(forged(['SKILL.md'], (text) => text.replace(/"size": \d+/, '"size": 99999999999')))).toContain('was changed');
    const lying = forged(['SKILL.md']);
    lying.write('77777777777', 124, 'latin1');
    expect(await refusal(lying)).toContain('its manifest');
  });

  it('is refused for more files or bytes than the limits', async () => {
    expect(await refusal(forged(Array.from({ length: PACK_LIMITS.files + 1 }, (_, i) => `f${i}`)))).toContain('10000 are the limit');
    expect(await refusal(Buffer.alloc(PACK_LIMITS.packBytes * 1.02))).toContain('are the limit');
    expect(await refusal(Buffer.alloc(0))).toContain('no skillpack');
    expect(await refusal(Buffer.from('PK\u0003\u0004'))).toContain('no skillpack');
  });
});
