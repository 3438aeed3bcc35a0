import { expect, it } from 'vitest';
import { withoutChromium } from '../helpers/chromium.ts';
import { openInterface } from './open-interface.ts';

it.skipIf(withoutChromium)('a page that cannot be loaded says so, and the others can be opened', async () => {
  const { page } = await openInterface();
  await page.route('**/usage-page*', (route) => route.abort());
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('alert').waitFor();
  await page.getByRole('link', { name: 'Skills' }).click();
  await page.getByRole('heading', { name: 'Skills' }).first().waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});
