import fs from 'node:fs';
import path from 'node:path';
import { localTree } from '../../../src/host/local-tree.ts';
import { fetchSource } from '../../../src/skills/library/fetch-source.ts';
import type { FetchSourceOptions } from '../../../src/skills/library/fetched-source.ts';
import { installSkills, type InstallOptions, type InstallResult } from '../../../src/skills/library/install.ts';
import type { SkillLibrary } from '../../../src/skills/library/library-folder.ts';
import { parseSource } from '../../../src/skills/library/parse-source.ts';
import { restoreSkills, type RestoreOptions, type RestoreResult } from '../../../src/skills/library/restore.ts';
import { updateSkills, type SkillUpdate, type UpdateOptions } from '../../../src/skills/library/update.ts';
import { guardFor } from '../../egress/servers.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';
import { noPacks } from './no-packs.ts';

/** A library of skills in a temporary folder, and all that can be done with it. */
export interface TestLibrary {
  readonly root: string;
  readonly library: SkillLibrary;
  readonly skills: string;
  install(source: string, more?: Partial<InstallOptions>): Promise<InstallResult>;
  restore(more?: Partial<RestoreOptions>): Promise<RestoreResult>;
  update(more?: Partial<UpdateOptions>): Promise<readonly SkillUpdate[]>;
  /** Writes files below the root; gives the path of the first. */
  write(files: Readonly<Record<string, string | Buffer>>): string;
  /** Relative paths of all files and folders of the library. */
  contents(): readonly string[];
  lock(): { readonly version: number; readonly skills: Readonly<Record<string, Readonly<Record<string, unknown>>>> };
}

/** `allow`: hosts on loopback that may be asked; `env`: what the sources and the guard see of the environment. */
export function testLibrary({ allow = [], env = {}, library: more = {}, openPack = noPacks }: { readonly allow?: readonly string[]; readonly env?: Readonly<Record<string, string>>; readonly library?: Partial<SkillLibrary>; readonly openPack?: FetchSourceOptions['openPack'] } = {}): TestLibrary {
  const root = fs.realpathSync(temporaryFolder());
  const skills = path.join(root, 'data', 'skills');
  const library: SkillLibrary = { scope: 'user', folder: skills, data: path.join(root, 'data'), ...more };
  const base = {
    tree: localTree(),
    library,
    fetch: (source: Parameters<typeof fetchSource>[0], temporary: string) => fetchSource(source, { egress: guardFor(allow, { env }), temporary, env, openPack }),
    replace: false,
    progress: () => undefined,
  };
  const parse = (text: string) => parseSource(text, library.within ?? root);
  return {
    root,
    library,
    skills,
    install: (source, options) => installSkills({ ...base, source: parse(source), dryRun: false, now: () => 0, ...options }),
    restore: (options) => restoreSkills({ ...base, parse, dryRun: false, ...options }),
    update: (options) => updateSkills({ ...base, parse, check: false, review: async () => true, now: () => 1_000, ...options }),
    write: (files) => {
      for (const [name, data] of Object.entries(files)) {
        fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
        fs.writeFileSync(path.join(root, name), data);
      }
      return path.join(root, Object.keys(files)[0] ?? '');
    },
    contents: () => (fs.existsSync(library.folder) ? fs.readdirSync(library.folder, { recursive: true }).map(String).sort() : []),
    lock: () => JSON.parse(fs.readFileSync(path.join(library.folder, 'skills.lock.json'), 'utf8')),
  };
}
