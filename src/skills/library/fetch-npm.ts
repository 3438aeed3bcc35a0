import path from 'node:path';
import { displayUrl } from '../../egress/display-url.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { download, fetchText, parseFetchedJson } from './download.ts';
import type { FetchedSource, FetchSourceOptions } from './fetched-source.ts';
import { type Integrity, integrityOfHex, parseIntegrity, pinnedIntegrity } from './integrity.ts';
import { sourceText, type SourceOf } from './skill-source.ts';

const REGISTRY = 'https://registry.npmjs.org/';
/** The list of versions of an old package is long. */
const METADATA_BYTES = 50 * 1024 * 1024;
const ABBREVIATED = 'application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8';

interface Release {
  readonly version: string;
  readonly tarball: string;
  readonly integrity: Integrity | undefined;
}

/**
 * Fetches a package's archive from the registry (that of `npm_config_registry`, if set) and checks its digest. No script
 * of the package runs, and nothing that it depends on is fetched.
 */
export async function fetchNpm(source: SourceOf<'npm'>, { egress, temporary, env, signal, progress }: FetchSourceOptions): Promise<FetchedSource> {
  const registry = (env['npm_config_registry'] || env['NPM_CONFIG_REGISTRY'] || REGISTRY).replace(/\/*$/, '/');
  const address = `${registry}${source.package.replace('/', '%2f')}`;
  progress?.(`looking for ${source.package} at ${registry}`);
  const { url, text } = await knownPackage(source, registry, () => fetchText(address, { fetch: egress.fetch, accept: ABBREVIATED, bodyBytes: METADATA_BYTES, signal }));
  const release = await pickRelease(parseFetchedJson(url, text), source);
  const name = `${source.package}@${release.version}`;
  const integrity = source.integrity === undefined ? release.integrity : pinnedIntegrity(source.integrity, name);
  if (integrity === undefined) throw new SkillmintError('install_refused', `${name} has no digest at ${registry}, so it cannot be checked. Use a registry that gives one.`);
  progress?.(`fetching ${name}`);
  const archive = path.join(temporary, 'package.tgz');
  const got = await download(new URL(release.tarball, url).href, { fetch: egress.fetch, file: archive, integrity, signal });
  return { archive, provenance: { source: sourceText(source), kind: 'npm', version: release.version, integrity: got.integrity, resolved: got.resolved } };
}

async function knownPackage<T>({ package: name }: SourceOf<'npm'>, registry: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SkillmintError) || error.code !== 'not_found') throw error;
    throw new SkillmintError('not_found', `The registry ${displayUrl(new URL(registry))} has no package ${name}. Check the name, and npm_config_registry.`, { cause: error });
  }
}

async function pickRelease(metadata: unknown, source: SourceOf<'npm'>): Promise<Release> {
  if (!isObject(metadata) || !isObject(metadata['versions'])) throw new SkillmintError('network_failed', `The registry's answer for ${source.package} holds no versions. Check npm_config_registry.`);
  const { versions } = metadata;
  const tags = isObject(metadata['dist-tags']) ? metadata['dist-tags'] : {};
  const version = await pickVersion(source, Object.keys(versions), tags);
  const manifest = versions[version];
  const dist = isObject(manifest) && isObject(manifest['dist']) ? manifest['dist'] : {};
  const { tarball, integrity, shasum } = dist;
  if (typeof tarball !== 'string') throw new SkillmintError('network_failed', `The registry gives no archive for ${source.package}@${version}.`);
  const known = typeof integrity === 'string' ? parseIntegrity(integrity) : undefined;
  return { version, tarball, integrity: known ?? (typeof shasum === 'string' ? integrityOfHex('sha1', shasum) : undefined) };
}

/** As npm does: a tag, an exact version, or a range, for which the newest release is taken if it fits. */
async function pickVersion({ package: name, version = 'latest' }: SourceOf<'npm'>, versions: readonly string[], tags: Readonly<Record<string, unknown>>): Promise<string> {
  const semver = await import('semver');
  const tagged = Object.hasOwn(tags, version) ? tags[version] : undefined;
  const latest = typeof tags['latest'] === 'string' ? tags['latest'] : undefined;
  const wanted = typeof tagged === 'string' ? tagged : (semver.valid(version) ?? undefined);
  const newest = latest !== undefined && semver.satisfies(latest, version) ? latest : semver.maxSatisfying([...versions], version);
  const found = wanted ?? newest ?? undefined;
  if (found !== undefined && versions.includes(found)) return found;
  throw new SkillmintError('not_found', `The package ${name} has no version ${JSON.stringify(version)}${latest === undefined ? '' : `; the latest is ${latest}`}.`);
}
