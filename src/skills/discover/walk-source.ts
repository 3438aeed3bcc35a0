import path from 'node:path';
import type { ReadTree } from '../../host/host.ts';
import { isInside } from '../../host/paths.ts';
import { pluginContents } from '../plugins/plugin-contents.ts';
import type { SkillRoot } from './skill-root.ts';
import { walkCommands } from './walk-commands.ts';
import { walkRoot, type WalkOptions, type WalkStep } from './walk-root.ts';

/** Finds all that a root holds: skills, commands, and the plugins in it. Folders below the root that `skips` knows as those of skills are not looked into. */
export function* walkSource(tree: ReadTree, root: SkillRoot, { skips }: WalkOptions = {}): Generator<WalkStep> {
  for (const step of root.kind === 'commands' ? walkCommands(tree, root) : walkRoot(tree, root, { skips })) {
    if (step.kind === 'plugin') yield* walkPlugin(tree, step.folder, root);
    else if (step.kind === 'skill' && root.pluginRoot !== undefined && !isInside(tree.realPath(root.pluginRoot), step.found.realFolder)) {
      yield { kind: 'problem', problem: { path: step.found.folder, message: `this is a link to ${step.found.realFolder}, outside of its plugin; it was left out` } };
    } else yield step;
  }
}

/** A plugin that lies among skills is the person's or the project's as they are; only its commands have its name before theirs. */
function* walkPlugin(tree: ReadTree, folder: string, within: SkillRoot): Generator<WalkStep> {
  const { roots, problems } = pluginContents(tree, { folder, source: within.source, prefix: `${path.basename(folder)}:` });
  for (const problem of problems) yield { kind: 'problem', problem };
  for (const root of roots) for (const step of walkSource(tree, root)) yield step.kind === 'skill' ? { ...step, found: { ...step.found, within } } : step;
}
