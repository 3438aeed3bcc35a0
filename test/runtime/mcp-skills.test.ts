import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { localHost } from '../../src/host/local-host.ts';
import { readDefinition } from '../../src/mcp/definition.ts';
import type { McpServerForm } from '../../src/protocol/mcp.ts';
import { fetchOfferedSkills } from '../../src/runtime/mcp/fetch-offered-skills.ts';
import type { FetchedSource } from '../../src/skills/library/fetched-source.ts';
import { newestServer, ownServer } from '../mcp/servers.ts';
import { makePlace, type Place } from './open.ts';

const TEA = '---\nname: tea\ndescription: Makes tea.\n---\n\nBoil water.\n';
const SKILLS = { 'tea/SKILL.md': TEA, 'tea/references/leaves and more.md': 'Green, black.\n', 'cake/SKILL.md': '---\nname: cake\ndescription: Bakes a cake.\n---\n\nHeat the oven.\n' };

async function fetchFrom(form: McpServerForm, place: Place, source: { readonly skill?: string; readonly integrity?: string } = {}): Promise<{ readonly fetched: FetchedSource; readonly files: readonly string[] }> {
  const read = readDefinition(form, { folder: place.home, variable: () => undefined });
  if ('problem' in read) throw new Error(read.problem);
  const temporary = fs.mkdtempSync(path.join(place.home, 'fetched-'));
  const host = localHost({ env: process.env });
  const fetched = await fetchOfferedSkills({ kind: 'mcp', server: 'kitchen', ...source }, { temporary, signal: new AbortController().signal, shortName: 'kitchen', definition: read.definition, host, allow: [], dataFolder: place.data });
  return { fetched, files: fs.readdirSync(temporary, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).map((entry) => path.relative(temporary, path.join(entry.parentPath, entry.name))).toSorted() };
}

/** A server that says of its skills what it likes. */
function liar(place: Place, resources: readonly object[], uri = 'skill://tea/SKILL.md'): McpServerForm {
  const skill = { uri, frontmatter: { name: 'tea', description: 'Makes tea.' }, resources };
  return ownServer(place.home, {
    capabilities: { resources: {}, extensions: { 'io.modelcontextprotocol/skills': {} } },
    more: `if (method === 'skills/list') return send({ id, result: { skills: [${JSON.stringify(skill)}] } }); if (method === 'resources/read') return send({ id, result: { contents: [{ uri: params.uri, text: ${JSON.stringify(TEA)} }] } });`,
  });
}

describe('skills of an MCP server', () => {
  it('are read with all their files, all or one, and have an integrity that holds', async () => {
    const place = makePlace();
    const server = newestServer(place.home, SKILLS);
    const all = await fetchFrom(server, place);
    expect(all.files).toEqual(['cake/SKILL.md', 'tea/SKILL.md', 'tea/references/leaves and more.md']);
    expect(all.fetched.provenance).toMatchObject({ source: 'mcp:kitchen', kind: 'mcp', integrity: expect.stringMatching(/^sha256-/) });
    const one = await fetchFrom(server, place, { skill: 'tea' });
    expect(one.files).toEqual(['tea/SKILL.md', 'tea/references/leaves and more.md']);
    expect(fs.readFileSync(path.join(one.fetched.folder ?? '', 'tea/SKILL.md'), 'utf8')).toBe(TEA);
    const { integrity = '' } = one.fetched.provenance;
    expect((await fetchFrom(server, place, { skill: 'tea', integrity })).fetched.provenance.integrity).toBe(integrity);
    const changed = newestServer(place.home, { ...SKILLS, 'tea/references/leaves and more.md': 'Poison.\n' });
    await expect(fetchFrom(changed, place, { skill: 'tea', integrity })).rejects.toThrow(/offers something else now/);
    await expect(fetchFrom(server, place, { skill: 'soup' })).rejects.toThrow('offers no skill soup; it offers cake, tea');
  }, 30_000);

  it('that are not what the list says are refused', async () => {
    const place = makePlace();
    await expect(fetchFrom(newestServer(place.home, SKILLS, { 'tea/references/leaves and more.md': 'Other!, black.' }), place, { skill: 'tea' })).rejects.toThrow(/kitchen/);
    await expect(fetchFrom(liar(place, [{ uri: 'skill://tea/SKILL.md', digest: `sha256:${'0'.repeat(64)}`, size: TEA.length }]), place)).rejects.toThrow('gives a file that is not the one in its list');
  }, 20_000);

  it('cannot write outside of their folder', async () => {
    const place = makePlace();
    const { createHash } = await import('node:crypto');
    const entry = (uri: string): object => ({ uri, digest: `sha256:${createHash('sha256').update(TEA).digest('hex')}`, size: TEA.length });
    for (const [uri, says] of [['skill://tea/%2e%2e/%2e%2e/evil.md', 'leads upward with ".."'], ['skill://tea/..%2Fevil.md', 'invalid entries'], ['skill://other/evil.md', 'invalid entries'], ['skill://tea/%00', 'invalid entries'], ['skill://tea/a%5Cb', 'holds a backslash']] as const) {
      await expect(fetchFrom(liar(place, [entry('skill://tea/SKILL.md'), entry(uri)]), place), uri).rejects.toThrow(says);
    }
    expect(fs.readdirSync(place.home, { recursive: true }).filter((name) => String(name).includes('evil'))).toEqual([]);
  }, 30_000);

  it('are found among the resources of a server that does not know the extension', async () => {
    const place = makePlace();
    const older = (leaves: string): McpServerForm => {
      const files: Readonly<Record<string, object>> = {
        'skill://tea/SKILL.md': { text: TEA }, 'skill://tea/references/leaves%20and%20more.md': { text: leaves }, 'skill://tea/cup.png': { blob: Buffer.from([1, 2, 3]).toString('base64') },
        'skill://more/cake/SKILL.md': { text: SKILLS['cake/SKILL.md'] }, 'docs://tea/SKILL.md': { text: 'other' }, 'skill://alone.md': { text: 'no skill' },
      };
      return ownServer(place.home, {
        capabilities: { resources: {} },
        more: `const files = ${JSON.stringify(files)}; if (method === 'resources/list') return send({ id, result: { resources: Object.keys(files).map((uri) => ({ uri, name: uri })) } }); if (method === 'resources/read') return send({ id, result: { contents: [{ uri: params.uri, ...files[params.uri] }] } });`,
      });
    };
    const all = await fetchFrom(older('Green.\n'), place);
    expect(all.files).toEqual(['cake/SKILL.md', 'tea/SKILL.md', 'tea/cup.png', 'tea/references/leaves and more.md']);
    expect(fs.readFileSync(path.join(all.fetched.folder ?? '', 'tea/cup.png'))).toEqual(Buffer.from([1, 2, 3]));
    const { provenance: { integrity = '' } } = (await fetchFrom(older('Green.\n'), place, { skill: 'tea' })).fetched;
    expect((await fetchFrom(older('Green.\n'), place, { skill: 'tea', integrity })).files).toHaveLength(3);
    await expect(fetchFrom(older('Poison.\n'), place, { skill: 'tea', integrity })).rejects.toThrow(/offers something else now/);
    const upward = ownServer(place.home, { capabilities: { resources: {} }, more: "const uris = ['skill://tea/SKILL.md', 'skill://tea/%2e%2e/%2e%2e/evil.md']; if (method === 'resources/list') return send({ id, result: { resources: uris.map((uri) => ({ uri, name: uri })) } }); if (method === 'resources/read') return send({ id, result: { contents: [{ uri: params.uri, text: 'x' }] } });" });
    await expect(fetchFrom(upward, place)).rejects.toThrow('leads upward');
  }, 20_000);

  it('are missed where a server has none', async () => {
    const place = makePlace();
    await expect(fetchFrom(ownServer(place.home, {}), place)).rejects.toThrow('The MCP server kitchen offers no skills.');
  });
});
