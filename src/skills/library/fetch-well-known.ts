import fs from 'node:fs/promises';
import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { archiveKind } from './archive-kind.ts';
import { download, fetchText, parseFetchedJson } from './download.ts';
import type { FetchedSource, FetchSourceOptions } from './fetched-source.ts';
import { type Integrity, integrityOfHex, integrityText } from './integrity.ts';
import { isSkillName } from './skill-name.ts';
import { sourceText, type SourceOf } from './skill-source.ts';

const SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json';

interface Offer {
  readonly name: string;
  readonly type: 'skill-md' | 'archive';
  readonly url: string;
  readonly integrity: Integrity;
}

/**
 * Fetches one skill that a site offers in its index at /.well-known/agent-skills/index.json (Agent Skills Discovery
 * 0.2.0) and checks its digest. Without a chosen name the index must offer one skill alone.
 */
export async function fetchWellKnown(source: SourceOf<'well-known'>, { egress, temporary, signal, progress }: FetchSourceOptions): Promise<FetchedSource> {
  progress?.(`reading ${source.url}`);
  const { url, text } = await fetchText(source.url, { fetch: egress.fetch, accept: 'application/json', signal });
  const offer = choose(source, readIndex(source.url, parseFetchedJson(url, text)));
  if (source.integrity !== undefined && source.integrity !== integrityText(offer.integrity)) {
    throw new SkillmintError('install_refused', `${source.url} offers another version of ${offer.name} now: ${integrityText(offer.integrity)} instead of ${source.integrity}. If you trust it, install it anew.`);
  }
  if (!URL.canParse(offer.url, url)) throw new SkillmintError('install_refused', `${source.url}: the address of ${offer.name} is none: ${JSON.stringify(offer.url)}.`);
  progress?.(`fetching ${offer.name}`);
  const folder = path.join(temporary, offer.name);
  await fs.mkdir(folder);
  const file = path.join(folder, offer.type === 'archive' ? 'archive' : 'SKILL.md');
  const got = await download(new URL(offer.url, url).href, { fetch: egress.fetch, file, integrity: offer.integrity, signal });
  const provenance = { source: sourceText({ ...source, skill: offer.name }), kind: 'well-known', integrity: got.integrity, resolved: got.resolved } as const;
  if (offer.type === 'skill-md') return { folder, skill: offer.name, provenance };
  if ((await archiveKind(file)) === undefined) throw new SkillmintError('install_refused', `${got.resolved}, the archive of ${offer.name}, is neither a zip nor a .tar.gz.`);
  return { archive: file, skill: offer.name, provenance };
}

/** Entries of a type that is not known are left out, as the specification asks; faulty ones are an error. */
function readIndex(where: string, index: unknown): readonly Offer[] {
  if (!isObject(index) || !Array.isArray(index['skills'])) throw new SkillmintError('install_refused', `${where} is no index of skills.`);
  if (index['$schema'] !== SCHEMA) {
    throw new SkillmintError('install_refused', `${where} has the schema ${JSON.stringify(index['$schema'] ?? null)}; only version 0.2.0 of Agent Skills Discovery is understood (${SCHEMA}).`);
  }
  return index['skills'].flatMap((entry: unknown, place) => {
    const faulty = (what: string): SkillmintError => new SkillmintError('install_refused', `${where}: entry ${place + 1} has ${what}.`);
    if (!isObject(entry)) throw faulty('no fields');
    const { name, type, url, digest } = entry;
    if (type !== 'skill-md' && type !== 'archive') return [];
    if (typeof name !== 'string' || !isSkillName(name)) throw faulty(`the name ${JSON.stringify(name)}, which is none of a skill`);
    const integrity = typeof digest === 'string' && digest.startsWith('sha256:') ? integrityOfHex('sha256', digest.slice('sha256:'.length)) : undefined;
    if (integrity === undefined) throw faulty('no digest of the form sha256:…');
    if (typeof url !== 'string') throw faulty('no url');
    return [{ name, type, url, integrity }];
  });
}

function choose({ url, skill }: SourceOf<'well-known'>, offers: readonly Offer[]): Offer {
  const names = offers.map(({ name }) => name);
  const found = skill === undefined ? offers : offers.filter(({ name }) => name === skill);
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (offers.length === 0) throw new SkillmintError('not_found', `${url} offers no skills.`);
  if (skill !== undefined && found.length === 0) throw new SkillmintError('not_found', `${url} offers no skill ${JSON.stringify(skill)}; it offers ${names.join(', ')}.`);
  if (skill !== undefined) throw new SkillmintError('install_refused', `${url} offers the skill ${skill} more than once.`);
  throw new SkillmintError('install_refused', `${url} offers ${names.length} skills: ${names.join(', ')}. Name one: ${url}#${names[0]}`);
}
