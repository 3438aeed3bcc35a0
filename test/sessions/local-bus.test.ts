import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { localBus } from '../../src/sessions/local-bus.ts';
import { SESSION_MIGRATIONS } from '../../src/sessions/migrations.ts';
import { openSqlite } from '../../src/store/sqlite.ts';
import { describeEventBus } from './event-bus-contract.ts';

describeEventBus('in this process, over SQLite', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-bus-'));
  const [own, other] = [1, 2].map(() => openSqlite(path.join(folder, 'skillmint.db'), SESSION_MIGRATIONS));
  const bus = localBus({ version: () => Number(own?.get('PRAGMA data_version')?.['data_version']) });
  onTestFinished(async () => {
    await bus.close();
    own?.close();
    other?.close();
    fs.rmSync(folder, { recursive: true, force: true });
  });
  let count = 0;
  return {
    bus,
    writeElsewhere: async () => void other?.transaction(() => other.run('INSERT INTO permission_rules (cwd, rule) VALUES (?, ?)', ['/', `rule ${count += 1}`])),
  };
});
