import fs from 'node:fs';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import zlib from 'node:zlib';
import { create, Header, type HeaderData } from 'tar';
import { ZipFile } from 'yazl';
import { temporaryFolder } from '../../host/temporary-folder.ts';

/** A file of an archive: its content, or that with a mode. */
export type Packed = string | Buffer | { readonly data: string | Buffer; readonly mode?: number };

/** The SKILL.md of a skill. */
export function skillMd(name: string, description = `Does ${name}. Use for ${name}.`, body = `# ${name}`): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\n${body}\n`;
}

/** A zip as writers of zips make them. */
export function zipOf(files: Readonly<Record<string, Packed>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [name, file] of Object.entries(files)) {
    const { data, mode = 0o644 } = typeof file === 'string' || Buffer.isBuffer(file) ? { data: file } : file;
    if (name.endsWith('/')) zip.addEmptyDirectory(name);
    else zip.addBuffer(Buffer.from(data), name, { mode: 0o100000 | mode, forceDosTimestamp: true });
  }
  zip.end();
  return buffer(zip.outputStream);
}

/** The archive with all occurrences of some bytes replaced by as many others: what no writer would write. */
export function forged(archive: Buffer, from: string | Buffer, to: string | Buffer): Buffer {
  const [old, fresh] = [Buffer.from(from), Buffer.from(to)];
  if (old.length !== fresh.length) throw new Error('both must have the same length');
  const copy = Buffer.from(archive);
  for (let at = copy.indexOf(old); at >= 0; at = copy.indexOf(old, at + 1)) fresh.copy(copy, at);
  return copy;
}

/** A tar packed with gzip, entry by entry as given, whatever sense that makes. */
export function tgzOf(entries: readonly (HeaderData & { readonly path: string; readonly data?: string | Buffer })[]): Buffer {
  const blocks = entries.flatMap(({ data = '', ...fields }) => {
    const content = Buffer.from(data);
    const header = new Header({ mode: 0o644, type: 'File', size: content.length, mtime: new Date(0), ...fields });
    header.encode();
    const padding = Buffer.alloc((512 - (content.length % 512)) % 512);
    return [header.block ?? Buffer.alloc(0), content, padding];
  });
  return zlib.gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

/** What `npm pack` would make of a folder. */
export async function npmTarball(folder: string): Promise<Buffer> {
  const file = path.join(temporaryFolder(), 'package.tgz');
  await create({ gzip: true, cwd: folder, file, prefix: 'package', portable: true, filter: (name) => !name.includes('node_modules') }, fs.readdirSync(folder));
  return fs.readFileSync(file);
}
