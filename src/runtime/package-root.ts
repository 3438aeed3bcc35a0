import fs from 'node:fs';
import path from 'node:path';

/** Folder of the installed package; the bundled skills lie in it. Works from the sources and from every chunk of the build. */
export function packageRoot(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (isOurs(path.join(folder, 'package.json'))) return folder;
    if (path.dirname(folder) === folder) throw new Error(`no package.json of skillmint above ${import.meta.dirname}`);
  }
}

/** The build has manifests of its own below the package's, without a name. */
function isOurs(manifest: string): boolean {
  return fs.existsSync(manifest) && fs.readFileSync(manifest, 'utf8').includes('"name": "skillmint"');
}
