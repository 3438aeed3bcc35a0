import { generateKeyPairSync } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import path from 'node:path';
import { localTree } from '../../src/host/local-tree.ts';
import { makePack } from '../../src/skills/pack/make-pack.ts';
import { acceptedChanges } from '../skills/pack/changed-bytes.ts';
import { makePlace } from '../skills/place.ts';

it.each([['unsigned', undefined], ['signed', generateKeyPairSync('ed25519').privateKey]])('a skillpack, %s: each changed byte is refused', async (_, key) => {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const folder = place.skill('one', { more: 'allowed-tools: Read\n', body: 'Do it.\n' });
  place.write('one/scripts/go.sh', '#!/bin/sh\ntouch ran\n');
  const { bytes } = await makePack(localTree(), { folder, file: path.join(folder, 'SKILL.md') }, key);
  expect(acceptedChanges(bytes, 1)).toEqual([]);
});
