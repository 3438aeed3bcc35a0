import fs from 'node:fs';
import path from 'node:path';
import zlib from 'node:zlib';

/** Something is wrong with a file of a set; the message says with which one and what. */
export class SetError extends Error {}

const LONGEST_LINK = 300;

/** The objects of a file of JSON lines, plain or compressed with gzip; `base` may lack its `.gz`. */
export function readJsonLines(base) {
  const file = [base, `${base}.gz`].find((each) => fs.existsSync(each));
  if (file === undefined) throw new SetError(`there is no ${base} and no ${base}.gz`);
  return readText(file).split('\n').flatMap((line, i) => (line.trim() === '' ? [] : [parsed(line, `${file}, line ${i + 1}`)]));
}

/** A checkout without symbolic links has in place of one a short file with its target. */
function readText(file) {
  const bytes = fs.readFileSync(file);
  const text = bytes.length <= LONGEST_LINK ? bytes.toString('utf8').trim() : '';
  if (/^[\w./-]+\.jsonl(?:\.gz)?$/.test(text)) return readText(path.resolve(path.dirname(file), text));
  try {
    return (bytes[0] === 0x1f && bytes[1] === 0x8b ? zlib.gunzipSync(bytes) : bytes).toString('utf8');
  } catch (error) {
    throw new SetError(`${file} cannot be unpacked: ${error.message}`, { cause: error });
  }
}

function parsed(line, where) {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new SetError(`${where} is no JSON: ${error.message}`, { cause: error });
  }
}
