import path from 'node:path';
import type { HostFiles, ReadTree } from '../../host/host.ts';
import { localTree } from '../../host/local-tree.ts';
import { findSkills, type LibraryParts } from '../../runtime/skills/find-skills.ts';
import { packageRoot } from '../../runtime/package-root.ts';
import type { SkillCatalogue } from '../../skills/discover/catalogue.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { commandSettings } from '../load-settings.ts';
import { endWithReader, oneLine, write } from '../terminal.ts';
import { indexingLine } from './indexing-line.ts';

/** What was found, and what it takes to read on. */
export interface SkillsHere {
  readonly catalogue: SkillCatalogue;
  readonly tree: ReadTree;
  readonly cwd: string;
  readonly home: string;
  /** The data folder. */
  readonly data: string;
}

/** The skills of the current folder, with their digests where those are to be shown. What could not be searched is named on standard error. */
export async function skillsHere({ digests = false }: { readonly digests?: boolean } = {}): Promise<SkillsHere> {
  const parts = await libraryHere();
  const cwd = process.cwd();
  const line = indexingLine({ what: 'reading skills' });
  const catalogue = await findSkills(cwd, parts, { digests, files: filesOnDemand(), progress: line.show });
  line.clear();
  await tell(process.env['SKILLMINT_DEBUG'] && catalogue.notKept ? [...catalogue.problems, catalogue.notKept] : catalogue.problems);
  return { catalogue, tree: parts.tree, cwd, home: parts.home, data: parts.dataFolder };
}

/** Works on the skills of the current folder through the index. What could not be searched is named on standard error. */
export async function withSkillView<T>(work: (view: SkillView, parts: LibraryParts) => Promise<T>): Promise<T> {
  const parts = await libraryHere();
  const line = indexingLine();
  const { openWholeView } = await import('../../runtime/skills/whole-view.ts');
  const { view, close } = await openWholeView(process.cwd(), parts, { progress: ({ done }) => line.show(done) });
  line.clear();
  try {
    await tell(view.problems);
    const answer = await work(view, parts);
    for (const notice of view.takeNotices()) await write(process.stderr, `skillmint: ${oneLine(notice)}\n`);
    return answer;
  } finally {
    await close();
  }
}

/** The files of this machine; most listings change none, so what it takes is loaded with the first change. */
function filesOnDemand(): Pick<HostFiles, 'write' | 'remove'> {
  const files = async (): Promise<HostFiles> => (await import('../../host/local-files.ts')).localFiles();
  return {
    write: async (file, data, options) => (await files()).write(file, data, options),
    remove: async (file) => (await files()).remove(file),
  };
}

/** Where skills of the current folder are looked for. */
export async function libraryHere(): Promise<LibraryParts> {
  const { home, data, loaded } = await commandSettings();
  return { tree: localTree(), env: process.env, home, dataFolder: data, bundledFolder: path.join(packageRoot(), 'skills'), settings: loaded, now: Date.now };
}

async function tell(problems: SkillCatalogue['problems']): Promise<void> {
  if (problems.length > 0) endWithReader(process.stderr);
  for (const problem of problems) await write(process.stderr, `skillmint: ${oneLine(problem.path)}: ${oneLine(problem.message)}\n`);
}
