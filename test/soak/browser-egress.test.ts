import { describe, expect, it } from 'vitest';
import { loadAll, openAll, ROWS, WAYS } from '../browser/egress-cases.ts';
import { withoutChromium } from '../helpers/chromium.ts';

describe.skipIf(withoutChromium)('the whole list of addresses in the browser (needs Chromium)', () => {
  it('C-N4: none opens, typed, by a redirect, or by a script of a page', async () => expect(await openAll(ROWS)).toEqual([]));

  it.each(Object.keys(WAYS))('C-N4: none is reached by %s', async (way) => expect(await loadAll({ [way]: ROWS })).toEqual([]));
});
