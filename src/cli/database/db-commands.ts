import { databaseStatus, migrateDatabaseOf, type DatabasePlace } from '../../runtime/database/database-status.ts';
import type { DatabaseStatus } from '../../runtime/database/status-types.ts';
import { commandSettings } from '../load-settings.ts';
import { databaseUrl } from '../open-runtime.ts';
import { oneLine, printJson, write } from '../terminal.ts';

interface Json {
  readonly json?: boolean;
}

async function placeHere(): Promise<DatabasePlace> {
  return { url: databaseUrl(), dataFolder: (await commandSettings()).data };
}

/** `skillmint db status`. */
export async function showDatabase({ json }: Json): Promise<void> {
  const status = await databaseStatus(await placeHere());
  if (json) return printJson(status);
  await write(process.stdout, `${lines(status).join('\n')}\n`);
}

/** `skillmint db migrate`. */
export async function migrateCommand({ json }: Json): Promise<void> {
  const migrated = await migrateDatabaseOf(await placeHere());
  if (json) return printJson(migrated);
  const { place, from, to } = migrated;
  await write(process.stdout, from === to ? `${oneLine(place)} has schema ${to}; there is nothing to do.\n` : `${oneLine(place)}: schema ${from} → ${to}\n`);
}

function lines({ backend, place, schema, content }: DatabaseStatus): readonly string[] {
  const about = { empty: 'nothing is there yet; the first use makes it', current: 'up to date', older: 'older; run: skillmint db migrate', newer: 'of a newer skillmint; update this one' }[schema.state];
  const head = [`${backend === 'postgres' ? 'PostgreSQL' : 'SQLite'}  ${oneLine(place)}`, `schema    ${schema.version} of ${schema.known}, ${about}`];
  if (!content) return head;
  const statuses = Object.entries(content.by_status).map(([status, n]) => `${n} ${status}`).join(', ');
  return [
    ...head,
    `sessions  ${content.sessions}${statuses === '' ? '' : ` (${statuses})`}, ${content.events} events${backend === 'postgres' ? `, ${content.tenants} tenants` : ''}`,
    `queue     ${content.queue.waiting} waiting, ${content.queue.active} active`,
    `workers   ${content.workers.length === 0 ? 'none' : content.workers.map(({ machine, pid }) => `${oneLine(machine)} ${pid}`).join(', ')}`,
    `size      ${(content.size_bytes / 1_000_000).toFixed(1)} MB`,
  ];
}
