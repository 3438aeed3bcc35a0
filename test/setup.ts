import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Tests never see the real home, nor keys of the person who runs them. */
const home = fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-test-home-'));
process.env['HOME'] = home;
process.env['SKILLMINT_HOME'] = path.join(home, '.skillmint');
for (const name of Object.keys(process.env)) {
  if (/_API_KEY$|_BASE_URL$|^SKILLMINT_(?!(HOME|SHARED)$)|^CLAUDE_/.test(name)) delete process.env[name];
}
process.on('exit', () => fs.rmSync(home, { recursive: true, force: true }));
