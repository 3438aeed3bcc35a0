import path from 'node:path';

/** Where the skills of layer N lie. One source has a name once, so documents with the same name are in plugins of their own. */
const layerFolder = (home, layer) => path.join(home, '.claude/plugins/cache/sets', `layer${String(layer).padStart(4, '0')}`, '1.0.0/skills');

const TIME = { mtimeMs: Date.UTC(2020, 0, 1), mode: 0o644, links: 1 };

/** A folder of a person with one skill for each text, all in memory. `indexOf` tells which text an entry was read from. */
export function skillsInMemory(home, skills) {
  const files = new Map();
  const folders = new Map();
  const addFolder = (folder) => {
    if (folders.has(folder)) return;
    folders.set(folder, []);
    if (path.dirname(folder) === folder) return;
    addFolder(path.dirname(folder));
    folders.get(path.dirname(folder)).push({ name: path.basename(folder), kind: 'directory' });
  };
  const layers = new Map();
  skills.forEach(({ name, text }, i) => {
    const key = name.toLowerCase();
    const layer = layers.get(key) ?? 0;
    layers.set(key, layer + 1);
    const folder = path.join(layerFolder(home, layer), `d${String(i).padStart(7, '0')}`);
    addFolder(folder);
    folders.get(folder).push({ name: 'SKILL.md', kind: 'file' });
    files.set(path.join(folder, 'SKILL.md'), Buffer.from(text));
  });
  return { tree: treeOf(files, folders), indexOf: (entry) => Number(path.basename(entry.folder).slice(1)) };
}

function treeOf(files, folders) {
  const missing = (at) => Object.assign(new Error(`ENOENT: no such file or folder: ${at}`), { code: 'ENOENT' });
  const stat = (at) => {
    if (files.has(at)) return { ...TIME, kind: 'file', size: files.get(at).length };
    if (folders.has(at)) return { ...TIME, kind: 'directory', size: 0 };
    throw missing(at);
  };
  const known = (map, at) => {
    if (!map.has(at)) throw missing(at);
    return map.get(at);
  };
  return {
    stat,
    list: (at) => known(folders, at),
    read: (at) => known(files, at),
    isFolder: (at) => folders.has(at),
    realPath: (at) => (stat(at), at),
  };
}
