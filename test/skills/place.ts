import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { localTree } from '../../src/host/local-tree.ts';
import { discoverSkills, type DiscoverOptions } from '../../src/skills/discover/discover-skills.ts';
import type { SkillCatalogue } from '../../src/skills/discover/catalogue.ts';
import type { SkillEntry } from '../../src/skills/discover/skill-entry.ts';

/** A temporary home and project with skills in them. */
export interface Place {
  readonly root: string;
  readonly home: string;
  readonly project: string;
  write(relative: string, text: string): string;
  /** Writes a skill below the place; `at` is its folder relative to the place. */
  skill(at: string, options?: { name?: string; description?: string; more?: string; body?: string; file?: string }): string;
  discover(more?: Partial<DiscoverOptions>): Promise<SkillCatalogue>;
  remove(): void;
}

export function makePlace(): Place {
  const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'skillmint-skills-')));
  const [home, project] = [path.join(root, 'home'), path.join(root, 'work', 'project')];
  fs.mkdirSync(home, { recursive: true });
  fs.mkdirSync(path.join(project, '.git'), { recursive: true });
  const write = (relative: string, text: string): string => {
    const target = path.join(root, relative);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.writeFileSync(target, text);
    return target;
  };
  return {
    root,
    home,
    project,
    write,
    skill: (at, { name = path.basename(at), description = `Does ${path.basename(at)}.`, more = '', body = `# ${path.basename(at)}\n`, file = 'SKILL.md' } = {}) => {
      write(path.join(at, file), `---\nname: ${name}\ndescription: ${description}\n${more}---\n\n${body}`);
      return path.join(root, at);
    },
    discover: (more = {}) => discoverSkills({ tree: localTree(), cwd: project, home, dataFolder: path.join(home, '.skillmint'), env: {}, now: () => performance.now(), ...more }),
    remove: () => fs.rmSync(root, { recursive: true, force: true }),
  };
}

export function entryOf(catalogue: SkillCatalogue, id: string): SkillEntry {
  const found = catalogue.entries.find((entry) => entry.id === id);
  if (!found) throw new Error(`no entry ${id} among ${catalogue.entries.map((entry) => entry.id).join(', ')}`);
  return found;
}
