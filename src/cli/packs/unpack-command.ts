import fs from 'node:fs/promises';
import path from 'node:path';
import { messageOf, SkillmintError, systemCode } from '../../protocol/errors.ts';
import { exists } from '../../skills/library/exists.ts';
import type { OpenedPack } from '../../skills/pack/open-skillpack.ts';
import { commandSettings } from '../load-settings.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { openForPerson, type OpeningFlags } from './open-for-person.ts';

/** What `skillmint skills unpack` can be told. */
export interface UnpackFlags extends OpeningFlags {
  readonly to: string;
  readonly json?: boolean;
}

/** `skillmint skills unpack`. The skill is unpacked beside its place and moved there as a whole. */
export async function unpackSkill(file: string, flags: UnpackFlags): Promise<void> {
  const { data } = await commandSettings();
  const to = path.resolve(flags.to);
  const beside = await temporaryIn(to);
  try {
    const opened = await openForPerson(path.resolve(file), flags, { to: beside, data });
    const folder = path.join(to, path.basename(opened.folder));
    await place(opened.folder, folder);
    await tell({ ...opened, folder }, flags);
  } finally {
    await fs.rm(beside, { recursive: true, force: true });
  }
}

async function temporaryIn(to: string): Promise<string> {
  try {
    await fs.mkdir(to, { recursive: true });
    return await fs.mkdtemp(path.join(to, '.skillpack-'));
  } catch (error) {
    throw new SkillmintError('io', `${to} cannot be written: ${messageOf(error)}`, { cause: error });
  }
}

async function place(from: string, folder: string): Promise<void> {
  const taken = (cause?: unknown): SkillmintError => new SkillmintError('skillpack_refused', `${folder} is already there and was not changed. Move it away, or unpack to another folder.`, { cause });
  if (await exists(folder)) throw taken();
  try {
    await fs.rename(from, folder);
  } catch (error) {
    if (['EEXIST', 'ENOTEMPTY'].includes(systemCode(error))) throw taken(error);
    throw new SkillmintError('io', `${folder} cannot be made: ${messageOf(error)}`, { cause: error });
  }
}

async function tell({ folder, manifest, signer, encrypted }: OpenedPack, { json }: UnpackFlags): Promise<void> {
  const { name, digest, files } = manifest;
  if (json) return printJson({ name, folder, digest, files: files.length, encrypted, signer: signer ?? null });
  await write(process.stdout, `${oneLine(folder)}\n`);
  await write(process.stderr, `${oneLine(name)}: ${files.length} ${files.length === 1 ? 'file' : 'files'}, every byte as it was packed${signer === undefined ? '' : ` and signed by ${signer.fingerprint}`}.\n`);
}
