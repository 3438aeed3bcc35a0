import fs from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { localTree } from '../../../src/host/local-tree.ts';
import type { IndexStore } from '../../../src/skills/index/index-store.ts';
import { openView } from '../../../src/skills/index/open-view.ts';
import { makePlace } from '../place.ts';
import { openIndex } from './open.ts';

test('a count that another process disturbs is counted anew, and the disturbed one is not kept', async () => {
  const place = makePlace();
  const { index, view, whole } = openIndex(place);
  onTestFinished(async () => {
    await index.close();
    place.remove();
  });
  for (let i = 0; i < 20; i += 1) place.skill(`home/.claude/skills/s${i}`, { description: `Deals with matter${i}.` });
  const { roots } = await whole();
  const root = roots.find(({ record }) => index.store.places(record.id, 0, 1).length > 0)?.record.id ?? -1;
  const removed = index.store.places(root, 0, 1).map(({ place: at }) => at);
  /** Another process has found that a skill is gone. */
  const removeElsewhere = (): void => {
    for (const at of removed) fs.rmSync(path.join(place.home, '.claude/skills', at), { recursive: true });
    index.store.apply(root, { skills: [], removed, blocks: [] });
  };
  let disturbed = false;
  const store: IndexStore = {
    ...index.store,
    names: (segment) => {
      if (!disturbed) removeElsewhere();
      disturbed = true;
      return index.store.names(segment);
    },
  };
  const opened = await openView({ store, tree: localTree(), now: Date.now }, { tree: localTree(), cwd: place.project, home: place.home, dataFolder: `${place.home}/.skillmint`, env: {}, visibilityKey: 'other', budgetMs: 0 });
  expect(disturbed).toBe(true);
  expect(opened.view.total).toBe(19);
  expect((await view({ visibilityKey: 'other', budgetMs: 0 })).view.total).toBe(19);
});
