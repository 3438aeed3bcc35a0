import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Tests never see the real home, nor keys of the person who runs them. */
const home = fs.mkdtempSync(path.join(process.env['SKILLMINT_TEST_HOMES'] ?? os.tmpdir(), 'home-'));
process.env['HOME'] = home;
process.env['SKILLMINT_HOME'] = path.join(home, '.skillmint');
for (const name of Object.keys(process.env)) {
  if (/_API_KEY$|_BASE_URL$|^SKILLMINT_(?!(HOME|SHARED)$)|^CLAUDE_/.test(name)) delete process.env[name];
}
