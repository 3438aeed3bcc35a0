import fs from 'node:fs';
import path from 'node:path';
import { localFiles } from '../../../host/local-files.ts';
import type { Postgres } from '../../../store/postgres/postgres.ts';
import { filesOfScope } from '../../replica/shared-files.ts';
import { sessionFolder, SESSION_FOLDERS } from '../../session/session-folder.ts';

/** Sends what sessions of a home keep beside their logs, as far as the database lacks it; resolves to how many files. @throws SkillmintError store_unavailable */
export async function sendSessionFiles(db: Postgres, { tenant, folder, ids }: { readonly tenant: string; readonly folder: string; readonly ids: readonly string[] }): Promise<number> {
  const parts = { files: localFiles(), workFolder: folder, shared: filesOfScope({ db, tenant }), log: () => undefined };
  let sent = 0;
  for (const kind of SESSION_FOLDERS) {
    const there = new Set(fs.existsSync(path.join(folder, kind)) ? fs.readdirSync(path.join(folder, kind)) : []);
    for (const id of ids) if (there.has(id)) sent += await sessionFolder(parts, kind, id).send();
  }
  return sent;
}
