import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localFiles } from '../../../src/host/local-files.ts';
import { localTree } from '../../../src/host/local-tree.ts';
import { findScript } from '../../../src/skills/execute/find-script.ts';
import { temporaryFolder } from '../../host/temporary-folder.ts';

const places = { tree: localTree(), files: localFiles(), configured: { rb: ['ruby'] } };

function skill(files: Readonly<Record<string, string>>): string {
  const folder = fs.realpathSync(temporaryFolder());
  for (const [name, text] of Object.entries({ 'SKILL.md': 'x', ...files })) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), text);
  }
  return folder;
}

const ALL = { 'index.js': '1', 'index.mjs': '2', 'main.py': '3', 'run.sh': '4', 'scripts/only.py': '5' };

describe('the script of a skill', () => {
  it('is index.js, index.mjs, main.py, run.sh or the only one in scripts/, in this order', async () => {
    const left = Object.entries(ALL);
    while (left.length > 0) {
      const folder = skill(Object.fromEntries(left));
      const [name] = left.shift() ?? [];
      expect(await findScript(folder, undefined, places)).toMatchObject({ name, file: `${folder}/${name}` });
    }
  });

  it('counts in scripts/ only what can be run: hidden files, notes, data and folders do not', async () => {
    const folder = skill({ 'scripts/tool.rb': '', 'scripts/README.md': '', 'scripts/data.json': '{}', 'scripts/.hidden.sh': '', 'scripts/lib/helper.py': '' });
    fs.symlinkSync('/bin/sh', `${folder}/scripts/out`);
    fs.symlinkSync('nowhere.sh', `${folder}/scripts/broken.sh`);
    expect((await findScript(folder, undefined, places)).name).toBe('scripts/tool.rb');
    fs.writeFileSync(`${folder}/scripts/second`, '#!/bin/sh\n');
    await expect(findScript(folder, undefined, places)).rejects.toMatchObject({ code: 'script_not_found', message: `The skill in ${folder} has 2 scripts (scripts/second, scripts/tool.rb). Name one with --script.` });
  });

  it('is said to be missing, with what was looked for', async () => {
    const folder = skill({});
    await expect(findScript(folder, undefined, places)).rejects.toMatchObject({ code: 'script_not_found', message: expect.stringContaining('there is no index.js, index.mjs, main.py, run.sh, or exactly one script in scripts/') });
    await expect(findScript(path.join(folder, 'SKILL.md'), undefined, places)).rejects.toMatchObject({ code: 'script_not_found' });
  });

  it('is the one that is named', async () => {
    const folder = skill(ALL);
    expect((await findScript(folder, 'scripts/only.py', places)).name).toBe('scripts/only.py');
    await expect(findScript(folder, 'only.py', places)).rejects.toMatchObject({ code: 'script_not_found', message: expect.stringMatching(/Did you mean --script scripts\/only\.py\?$/) });
    await expect(findScript(folder, 'scripts', places)).rejects.toMatchObject({ code: 'script_not_found' });
  });

  it('never lies outside of the skill: C-S1 paths and links that lead out', async () => {
    const folder = skill({ 'run.sh': '', 'inner/real.sh': '', '.git/hooks/x.sh': '' });
    const outside = skill({ 'evil.sh': '' });
    fs.symlinkSync(`${outside}/evil.sh`, `${folder}/link.sh`);
    fs.symlinkSync(outside, `${folder}/away`);
    fs.symlinkSync('inner/real.sh', `${folder}/inside.sh`);
    for (const name of ['../x/run.sh', `${outside}/evil.sh`, 'link.sh', 'away/evil.sh', 'inner/../../x', '.git/hooks/x.sh', 'a\0b', 'C:\\x.sh', '..\\x.sh']) {
      await expect(findScript(folder, name, places), name).rejects.toMatchObject({ code: 'permission_denied', name: 'PermissionError' });
    }
    expect((await findScript(folder, 'inside.sh', places)).file).toBe(`${folder}/inner/real.sh`);
    fs.rmSync(`${folder}/run.sh`);
    fs.symlinkSync(`${outside}/evil.sh`, `${folder}/index.js`);
    await expect(findScript(folder, undefined, places)).rejects.toMatchObject({ code: 'permission_denied' });
  });
});
