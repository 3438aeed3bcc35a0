import path from 'node:path';
import { dataFolder } from '../../config/paths.ts';
import { homeFolder } from '../../host/home-folder.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { ONE_PERSON } from '../../runtime/database/backend.ts';
import { importHome, type ImportedHome } from '../../runtime/database/import/import-home.ts';
import { databaseUrl } from '../open-runtime.ts';
import { oneLine, printJson, write } from '../terminal.ts';

/** `skillmint db import`. */
export async function importCommand({ from, replace = false, json }: { readonly from?: string; readonly replace?: boolean; readonly json?: boolean }): Promise<void> {
  const url = databaseUrl();
  if (url === undefined) throw new SkillmintError('usage', 'Say into which database: skillmint db import --database postgres://USER@HOST/NAME');
  const folder = from === undefined ? dataFolder(process.env, homeFolder(process.env)) : path.resolve(from);
  const imported = await importHome({ from: folder, url, replace, progress: (line) => void process.stderr.write(`skillmint: ${oneLine(line)}\n`) });
  if (json) return printJson(imported);
  await write(process.stdout, `${[`Into ${imported.place}:`, ...imported.homes.map(lineOf)].map(oneLine).join('\n')}\n`);
}

function lineOf({ tenant, folder, sessions, files, usage, rules }: ImportedHome): string {
  const whose = tenant === ONE_PERSON ? folder : `user ${tenant}`;
  return `${whose}: ${sessions.imported} sessions (${sessions.same} were there), ${files.imported} files (${files.same} were there), ${usage} rows of usage, ${rules} rules`;
}
