import fs from 'node:fs';
import { expect, it } from 'vitest';
import { apiReference } from '../../scripts/lib/api-reference.mjs';
import { API } from '../../src/api/api.ts';

it('docs/api.md is what the endpoints are now (else: npm run docs)', async () => {
  const made = await apiReference();
  expect(fs.readFileSync('docs/api.md', 'utf8')).toBe(made);
  for (const [name, { method, path }] of Object.entries(API)) expect(made).toContain(`### ${name}\n\n\`${method} ${path}\``);
});
