// Trusts one skill, as a process of its own; its arguments are the data folder and the skill's folder.
import path from 'node:path';
import { localFiles } from '../../../src/host/local-files.ts';
import { localTree } from '../../../src/host/local-tree.ts';
import { trustSkill } from '../../../src/skills/trust/edit-trust.ts';
import { examineSkill } from '../../../src/skills/trust/trust-report.ts';

const [dataFolder = '', folder = ''] = process.argv.slice(2);
const tree = localTree();
const report = await examineSkill(tree, { folder, file: path.join(folder, 'SKILL.md') });
await trustSkill({ tree, files: localFiles(), dataFolder, now: Date.now }, { id: `project:${path.basename(folder)}`, source: 'project', folder }, report);
