import { describe, expect, it } from 'vitest';
import { restrictTo } from '../../src/permissions/restrict.ts';
import type { PermissionMode } from '../../src/protocol/permission.ts';
import { ask, rulesOf } from './helpers.ts';

const url = 'https://shop.example.com/a';
const open = (allow: readonly string[], more: { readonly deny?: readonly string[]; readonly mode?: PermissionMode } = {}): string => ask({ tool: 'BrowserNavigate', need: { action: 'network', url }, rules: { allow, deny: more.deny ?? [] }, ...(more.mode ? { mode: more.mode } : {}) }).verdict;
const click = (allow: readonly string[], more: { readonly deny?: readonly string[]; readonly mode?: PermissionMode } = {}): string => ask({ tool: 'BrowserClick', need: { action: 'network', url, acts: true }, rules: { allow, deny: more.deny ?? [] }, ...(more.mode ? { mode: more.mode } : {}) }).verdict;

describe('rules for the browser', () => {
  it('who may read a page may open it; who may act says so for the host, the tool or the network', () => {
    expect([open([]), click([])]).toEqual(['ask', 'ask']);
    expect([open(['WebFetch(domain:*.example.com)']), click(['WebFetch(domain:*.example.com)'])]).toEqual(['allow', 'ask']);
    for (const rule of ['Browser(domain:shop.example.com)', 'Browser(domain:*.example.com)', 'Browser', 'Network(shop.example.com)']) expect([rule, open([rule]), click([rule])]).toEqual([rule, 'allow', 'allow']);
    expect([open(['BrowserClick']), click(['BrowserClick'])]).toEqual(['ask', 'allow']);
    expect([open(['Browser(domain:example.com)']), click(['WebFetch', 'Browser(domain:evil-shop.example.com)'])]).toEqual(['ask', 'ask']);
    expect(ask({ tool: 'WebFetch', need: { action: 'network', url }, rules: { allow: ['Browser(domain:shop.example.com)'] } }).verdict).toBe('ask');
  });

  it('what denies a page to WebFetch, or the network, denies it in the browser', () => {
    for (const rule of ['WebFetch(domain:shop.example.com)', 'Browser(domain:*.example.com)', 'browser', 'Network(shop.example.com)', 'Network']) expect([rule, open([], { deny: [rule], mode: 'unrestricted' }), click([], { deny: [rule], mode: 'unrestricted' })]).toEqual([rule, 'deny', 'deny']);
  });

  it('"always" gives what was asked for: to open, or to act', () => {
    expect(ask({ tool: 'BrowserNavigate', need: { action: 'network', url } })).toMatchObject({ rules: ['WebFetch(domain:shop.example.com)'], reason: 'it sends a request to shop.example.com' });
    expect(ask({ tool: 'BrowserType', need: { action: 'network', url, acts: true } })).toMatchObject({ rules: ['Browser(domain:shop.example.com)'], reason: 'it acts on a page of shop.example.com' });
    expect(ask({ tool: 'BrowserClick', need: { action: 'network', url: 'http://localhost:3000/', acts: true } })).toMatchObject({ rules: ['Network(localhost:3000)'] });
  });

  it('plan mode lets pages be opened and read, not used', () => {
    expect([open(['Browser'], { mode: 'plan' }), click(['Browser'], { mode: 'plan' })]).toEqual(['allow', 'deny']);
  });

  it('files of the browser are decided on as files that Write writes', () => {
    const shot = (allow: readonly string[], deny: readonly string[] = [], mode: PermissionMode = 'default'): string => ask({ tool: 'BrowserScreenshot', need: { action: 'edit', path: '/ws/a.png' }, mode, rules: { allow, deny } }).verdict;
    expect([shot([]), shot(['BrowserScreenshot']), shot(['Edit']), shot(['Edit(*.png)']), shot([], [], 'acceptEdits'), shot([], [], 'plan')]).toEqual(['ask', 'ask', 'allow', 'allow', 'allow', 'deny']);
    expect([shot([], ['Edit(*.png)'], 'unrestricted'), shot([], ['BrowserScreenshot'], 'unrestricted'), shot([], ['Browser'], 'unrestricted')]).toEqual(['deny', 'deny', 'deny']);
  });

  it('a skill may be held to pages of one host', () => {
    const restriction = restrictTo(rulesOf({ allow: ['Browser(domain:shop.example.com)'] }).allow);
    const other = 'https://example.org/';
    expect(ask({ tool: 'BrowserClick', need: { action: 'network', url, acts: true }, mode: 'unrestricted', restriction }).verdict).toBe('allow');
    expect(ask({ tool: 'BrowserNavigate', need: { action: 'network', url: other }, mode: 'unrestricted', restriction }).verdict).toBe('deny');
    expect(ask({ tool: 'WebFetch', need: { action: 'network', url }, mode: 'unrestricted', restriction }).verdict).toBe('deny');
    expect(ask({ tool: 'BrowserSnapshot', mode: 'unrestricted', restriction }).verdict).toBe('allow');
  });
});
