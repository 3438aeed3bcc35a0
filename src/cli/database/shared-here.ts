import { dataFolder } from '../../config/paths.ts';
import { homeFolder } from '../../host/home-folder.ts';
import { ONE_PERSON } from '../../runtime/database/backend.ts';
import type { Replica } from '../../runtime/replica/replica.ts';
import { databaseUrl } from '../open-runtime.ts';
import { oneLine } from '../terminal.ts';

/** The files of the data folder during one command of the command line. */
export interface SharedHere {
  /** Makes them the same for all workers; what the command has changed is for all then. Says what could not be kept. */
  finish(): Promise<void>;
}

/** Makes the files of the data folder what they are in the database that the environment names. @throws SkillmintError store_unavailable, config_invalid */
export async function shareHere(): Promise<SharedHere | undefined> {
  const url = databaseUrl();
  if (url === undefined) return undefined;
  const { openSharedFiles } = await import('../../runtime/replica/open-shared-files.ts');
  const say = (line: string): void => void process.stderr.write(`skillmint: ${oneLine(line)}\n`);
  const { replica, close } = await openSharedFiles({ url, tenant: ONE_PERSON, folder: dataFolder(process.env, homeFolder(process.env)), log: say });
  return { finish: () => finish(replica, close) };
}

async function finish(replica: Replica, close: () => Promise<void>): Promise<void> {
  try {
    if ((await replica.sync()).length > 0) process.exitCode ||= 1;
  } finally {
    await close();
  }
}
