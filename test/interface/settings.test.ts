import fs from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { makePlace, writeSkill } from '../e2e/program.ts';
import { withoutChromium } from '../helpers/chromium.ts';
import { expectAccessible, openInterface, picture, type OpenInterface } from './open-interface.ts';

const KEY = 'sk-typed-by-hand-9876';
const EVERYTHING = path.resolve('node_modules/@modelcontextprotocol/server-everything/dist/index.js');

async function turn({ served }: OpenInterface): Promise<void> {
  const { json: { id } } = await served().ask('POST', '/api/sessions', { body: {} });
  await served().ask('POST', `/api/sessions/${String(id)}/messages`, { body: { text: 'hello' } });
  await expect.poll(async () => (await served().ask('GET', `/api/sessions/${String(id)}`)).json['status'], { timeout: 20_000 }).toBe('done');
}

async function openSection({ page }: OpenInterface, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Settings', exact: true }).click();
  await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name }).click();
  await page.getByRole('region', { name }).waitFor();
}

/** Every answer of the API to the page, as it came. */
function answersTo(page: Page): () => Promise<readonly string[]> {
  const answers: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/api/')) answers.push(response.text().catch(String));
  });
  return () => Promise.all(answers);
}

describe.skipIf(withoutChromium)('the settings page', () => {
  it('takes an endpoint with its key, which never comes back, and a default model that the next turn uses', { timeout: 240_000 }, async () => {
    const open = await openInterface({ steps: ['one', 'two'] });
    const { page, provider, place, faults } = open;
    const answers = answersTo(page);
    await turn(open);
    expect(provider.requests.at(-1)?.body['model']).toBe('m');
    await openSection(open, 'Models');
    await expectAccessible(page);
    await picture(page, 'settings-models');
    await page.getByText('Add an endpoint').click();
    await page.getByLabel('Name', { exact: true }).fill('lab');
    await page.getByLabel('Base URL').fill('no address');
    await page.getByLabel('Key, where it needs one').fill(KEY);
    await page.getByLabel('Models, one on each line').fill('small-one\nn');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('providers.lab.baseUrl must be a URL').waitFor();
    expect(await page.getByLabel('Models, one on each line').inputValue()).toBe('small-one\nn');
    await page.getByLabel('Base URL').fill(provider.url);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    const lab = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'lab' }) });
    await lab.getByText('key set').waitFor();
    await page.getByRole('combobox', { name: 'Default model' }).fill('lab/n');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Saved.').waitFor();
    await turn(open);
    expect(provider.requests.at(-1)?.body['model']).toBe('n');
    expect(provider.requests.at(-1)?.headers['authorization']).toBe(`Bearer ${KEY}`);

    await page.getByRole('button', { name: 'Set key: anthropic' }).click();
    await page.getByLabel('Key of anthropic').fill(`${KEY}-2`);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Remove key: anthropic' }).waitFor();
    expect(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8')).toContain(`${KEY}-2`);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'All settings' }).click();
    await page.getByText('providers.lab.apiKey').waitFor();
    await page.getByRole('button', { name: 'Edit providers.lab.apiKey' }).click();
    expect(await page.getByLabel('Value of providers.lab.apiKey').inputValue()).toBe('');
    expect((await page.content()).includes(KEY)).toBe(false);
    const all = await answers();
    expect(all.length).toBeGreaterThan(8);
    expect(all.filter((text) => text.includes(KEY))).toEqual([]);
    await page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name: 'Models' }).click();
    await page.getByRole('button', { name: 'Remove key: anthropic' }).click();
    await page.getByRole('button', { name: 'Set key: anthropic' }).waitFor();
    expect(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8')).not.toContain(`${KEY}-2`);
    await page.getByRole('combobox', { name: 'Default model' }).fill('fake/m');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Saved.').waitFor();
    await page.getByRole('button', { name: 'Remove lab' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove lab' }).click();
    await lab.waitFor({ state: 'detached' });
    expect(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8')).not.toContain(KEY);
    expect(faults.filter((fault) => !fault.includes('422'))).toEqual([]);
  });

  it('keeps rules line by line, says what is wrong with one and keeps what was typed', { timeout: 240_000 }, async () => {
    const place = makePlace();
    fs.mkdirSync(path.join(place.project, '.skillmint'));
    fs.writeFileSync(path.join(place.project, '.skillmint/config.json'), JSON.stringify({ permissions: { deny: ['Read(.env)'] } }));
    const open = await openInterface({ place, steps: [{ calls: [{ name: 'Bash', input: { command: 'git push' } }] }, 'done'], settings: { permissions: { mode: 'unrestricted', deny: ['Bash(rm:*)'] } } });
    const { page, provider } = open;
    await openSection(open, 'Permissions');
    const deny = page.getByRole('group', { name: 'Deny' });
    await deny.getByText('Read(.env)').waitFor();
    expect(await deny.getByRole('textbox', { name: 'Deny: rule 1' }).inputValue()).toBe('Bash(rm:*)');
    await deny.getByRole('textbox', { name: 'Deny: new rule' }).fill('Bash(git push');
    await page.keyboard.press('Enter');
    await deny.getByRole('alert').getByText('the permission rule "Bash(git push" cannot be used').waitFor();
    await picture(page, 'settings-permissions');
    expect(await deny.getByRole('textbox', { name: 'Deny: new rule' }).inputValue()).toBe('Bash(git push');
    await deny.getByRole('textbox', { name: 'Deny: new rule' }).fill('Bash(git push:*)');
    await page.keyboard.press('Enter');
    await deny.getByRole('textbox', { name: 'Deny: rule 2' }).waitFor();
    expect(await deny.getByRole('textbox', { name: 'Deny: new rule' }).inputValue()).toBe('');
    await turn(open);
    expect(JSON.stringify(provider.requests.at(-1)?.body)).toContain('Bash(git push:*)');
    const written = (): unknown => JSON.parse(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8')).permissions.deny;
    expect(written()).toEqual(['Bash(rm:*)', 'Bash(git push:*)']);
    await deny.getByRole('textbox', { name: 'Deny: rule 1' }).fill('Bash(rm -rf:*)');
    await deny.getByRole('textbox', { name: 'Deny: rule 1' }).press('Enter');
    await expect.poll(written).toEqual(['Bash(rm -rf:*)', 'Bash(git push:*)']);
    await deny.getByRole('button', { name: 'Remove Bash(rm -rf:*)' }).click();
    await expect.poll(written).toEqual(['Bash(git push:*)']);
    await page.getByRole('combobox', { name: 'Mode' }).selectOption('plan');
    await page.getByRole('button', { name: 'Save: Mode' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(JSON.parse(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8'))).toMatchObject({ permissions: { mode: 'plan' } });
    await expectAccessible(page);
  });

  it('adds an MCP server, shows its health, and removes it; one of the project is looked at before it is approved', { timeout: 240_000 }, async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, '.mcp.json'), JSON.stringify({ mcpServers: { team: { command: process.execPath, args: [EVERYTHING], env: { TEAM_MODE: 'strict' } } } }));
    const open = await openInterface({ place });
    const { page } = open;
    await openSection(open, 'MCP servers');
    const row = (name: string) => page.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) });
    await row('team').getByText('waits for approval').waitFor();
    await page.getByText('Add a server').click();
    await page.getByLabel('Name', { exact: true }).fill('every thing');
    await page.getByLabel('Command').fill(process.execPath);
    await page.getByLabel('Arguments, one on each line').fill(EVERYTHING);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('"every_thing" would do').waitFor();
    expect(await page.getByLabel('Arguments, one on each line').inputValue()).toBe(EVERYTHING);
    await page.getByLabel('Name', { exact: true }).fill('everything');
    await page.getByLabel('Variables, NAME=VALUE on each line').fill('TOKEN');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('alert').getByText('The line "TOKEN" sets no variable.').waitFor();
    await page.getByLabel('Variables, NAME=VALUE on each line').fill(`TOKEN=${KEY}`);
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await row('everything').getByText('healthy').waitFor({ timeout: 30_000 });
    await row('everything').getByText(/\d+ tools/).waitFor();
    await row('team').getByRole('button', { name: 'Look at it: team' }).click();
    await page.getByRole('dialog').getByText('TEAM_MODE').waitFor();
    await picture(page, 'settings-approve');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await row('team').getByText('waits for approval').waitFor();
    await row('team').getByRole('button', { name: 'Look at it: team' }).click();
    await page.getByRole('button', { name: 'Approve as it stands here' }).click();
    await row('team').getByText('not connected').waitFor();
    await page.getByRole('button', { name: 'Check health' }).click();
    await row('team').getByText('healthy').waitFor({ timeout: 30_000 });
    await expectAccessible(page);
    await picture(page, 'settings-servers');
    expect(await page.content()).not.toContain(KEY);
    await row('team').getByRole('button', { name: 'Revoke approval: team' }).click();
    await row('team').getByText('waits for approval').waitFor();
    await row('everything').getByRole('button', { name: 'Remove everything' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
    await row('everything').waitFor({ state: 'detached' });
    expect(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8')).not.toContain('everything');
  });

  it('writes, reads and deletes what is remembered of the project and by a skill, and reports the sandbox', { timeout: 240_000 }, async () => {
    const place = makePlace();
    writeSkill(path.join(place.project, '.claude/skills'), { name: 'report' });
    const open = await openInterface({ place });
    const { page, served } = open;
    await openSection(open, 'Memory');
    await page.getByLabel('Name', { exact: true }).fill('../out');
    await page.getByLabel('Text', { exact: true }).fill('The build needs Node 24.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('is a path').waitFor();
    expect(await page.getByLabel('Text', { exact: true }).inputValue()).toBe('The build needs Node 24.');
    await page.getByLabel('Name', { exact: true }).fill('MEMORY');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Text of MEMORY').waitFor();
    await page.getByLabel('Text of MEMORY').fill('The build needs Node 24.\nTests: npm test');
    await picture(page, 'settings-memory');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('status').getByText('Saved.').waitFor();
    await expectAccessible(page);
    expect((await served().ask('GET', '/api/memory/MEMORY')).json['text']).toContain('Tests: npm test');
    await page.getByLabel('Memory of').selectOption({ label: 'skill project:report' });
    await page.getByText('There are no entries yet.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('style');
    await page.getByLabel('Text', { exact: true }).fill('Short.');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByLabel('Text of style').waitFor();
    expect((await served().ask('GET', '/api/memory/style?skill=project:report')).json['text']).toContain('Short.');
    await page.getByRole('button', { name: 'Delete style' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete style' }).click();
    await page.getByText('There are no entries yet.').waitFor();
    await openSection(open, 'Sandbox');
    const { state, mechanism } = (await served().ask('GET', '/api/sandbox')).json;
    await page.getByText(String(state), { exact: true }).first().waitFor();
    await page.getByText(String(mechanism), { exact: true }).waitFor();
    await expectAccessible(page);
    await picture(page, 'settings-sandbox');
  });

  it('edits any setting in place, with the sentence of the server where it is wrong, and speaks Chinese', { timeout: 240_000 }, async () => {
    const open = await openInterface();
    const { page, place } = open;
    await openSection(open, 'All settings');
    await page.getByLabel('Filter').fill('maxturns');
    await page.getByRole('button', { name: 'Edit maxTurns' }).click();
    await page.getByLabel('Value of maxTurns').fill('many');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await page.getByRole('alert').getByText('maxTurns must be a whole number of at least 1').waitFor();
    expect(await page.getByLabel('Value of maxTurns').inputValue()).toBe('many');
    await page.getByLabel('Value of maxTurns').fill('7');
    await page.getByRole('button', { name: 'Save' }).first().click();
    const row = page.getByRole('row', { name: /^maxTurns/ });
    await row.getByText('your settings').waitFor();
    expect(await row.getByRole('cell').first().textContent()).toBe('7');
    await page.getByLabel('Setting', { exact: true }).fill('maxTurnz');
    await page.getByLabel('Value', { exact: true }).fill('3');
    await page.getByRole('form', { name: 'Set another' }).getByRole('button', { name: 'Save' }).press('Enter');
    await page.getByRole('alert').getByText('did you mean "maxTurns"?').waitFor();
    expect(await page.getByLabel('Value', { exact: true }).inputValue()).toBe('3');
    await page.getByLabel('Setting', { exact: true }).fill('addDirs');
    await page.getByLabel('Value', { exact: true }).fill('["/srv/data"]');
    await page.getByRole('form', { name: 'Set another' }).getByRole('button', { name: 'Save' }).press('Enter');
    await expect.poll(() => JSON.parse(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8'))).toMatchObject({ maxTurns: 7, addDirs: ['/srv/data'] });
    await row.getByRole('button', { name: 'Edit maxTurns' }).click();
    await page.getByRole('button', { name: 'Back to what holds without it' }).click();
    await row.getByText('default').waitFor();
    await page.getByLabel('Filter').fill('');
    await expectAccessible(page);
    await picture(page, 'settings-all');
    await page.setViewportSize({ width: 390, height: 844 });
    for (const section of ['models', 'permissions', 'servers', 'memory', 'sandbox', 'all']) {
      await page.goto(`${open.url()}/settings/${section}`);
      await page.locator('section').waitFor();
      expect(await page.evaluate('document.querySelector("main").scrollWidth'), section).toBeLessThanOrEqual(390);
    }
    await page.setViewportSize({ width: 1280, height: 800 });
    await page.getByRole('button', { name: '中文' }).click();
    await page.getByRole('navigation', { name: '设置' }).getByRole('link', { name: '权限' }).click();
    await page.getByRole('group', { name: '禁止' }).waitFor();
  });

  it('does not offer a member what only an administrator may do', { timeout: 240_000 }, async () => {
    const place = makePlace();
    fs.writeFileSync(path.join(place.project, '.mcp.json'), JSON.stringify({ mcpServers: { team: { command: 'node' } } }));
    const open = await openInterface({ place });
    const { page } = open;
    // The real answers, as a server with users would give them to a member.
    await page.route('**/api/me', async (route) => route.fulfill({ json: { ...(await (await route.fetch()).json()), role: 'member' } }));
    await page.route('**/api/settings', async (route) => {
      const answer = await (await route.fetch()).json();
      await route.fulfill({ json: { ...answer, known: answer.known.map((one: { readonly key: string }) => (['model', 'permissions.deny'].includes(one.key) ? one : { ...one, fixed: true })) } });
    });
    await page.goto(`${open.url()}/settings/models`);
    await page.getByRole('heading', { name: 'anthropic' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /key/i }).count()).toBe(0);
    expect(await page.getByText('Add an endpoint').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Save: Default model' }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Save: Small model' }).count()).toBe(0);
    await openSection(open, 'MCP servers');
    await page.getByText('waits for approval').waitFor();
    expect(await page.getByRole('button', { name: /Look at it|Remove/ }).count()).toBe(0);
    expect(await page.getByText('Add a server').count()).toBe(0);
    await openSection(open, 'Permissions');
    await page.getByRole('textbox', { name: 'Deny: new rule' }).waitFor();
    expect(await page.getByRole('textbox', { name: 'Allow: new rule' }).count()).toBe(0);
  });

  it('is used by the keyboard alone', { timeout: 120_000 }, async () => {
    const open = await openInterface();
    const { page, place } = open;
    const tabTo = async (name: string): Promise<void> => {
      for (let step = 0; step < 80; step += 1) {
        await page.keyboard.press('Tab');
        const focused: string = await page.evaluate('((at) => at.getAttribute("aria-label") ?? at.labels?.[0]?.textContent ?? at.textContent)(document.activeElement)');
        if (focused === name) return;
      }
      throw new Error(`Tab does not come to ${name}`);
    };
    await tabTo('Settings');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Models' }).waitFor();
    await tabTo('Small model');
    await page.keyboard.type('fake/m');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Saved.').waitFor();
    expect(JSON.parse(fs.readFileSync(path.join(place.data, 'config.json'), 'utf8'))).toMatchObject({ smallModel: 'fake/m' });
    await tabTo('Set key: anthropic');
    await page.keyboard.press('Enter');
    await page.keyboard.type(KEY);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Replace key: anthropic' }).waitFor();
    await tabTo('Add an endpoint');
    await page.keyboard.press('Enter');
    await tabTo('Name');
    await page.reload();
    await tabTo('MCP servers');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'MCP servers' }).waitFor();
    await tabTo('Add a server');
    await page.keyboard.press('Enter');
    await tabTo('Name');
    await page.keyboard.type('x');
    await tabTo('Command');
    await page.keyboard.type('none-such');
    await page.keyboard.press('Enter');
    await page.getByText('failed').waitFor({ timeout: 30_000 });
    await tabTo('Remove x');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
  });
});
