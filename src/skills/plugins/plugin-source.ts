import { isObject } from '../../protocol/json.ts';

/** Where a plugin of a marketplace lies. */
export type PluginSource =
  /** In the marketplace's own tree; relative, with `/`, empty for the tree itself. */
  | { readonly kind: 'inside'; readonly path: string }
  /** Elsewhere: a source as `skills install` takes it, and the digest of what has to come (`sha256-` in base64). */
  | { readonly kind: 'elsewhere'; readonly source: string; readonly integrity?: string }
  /** `why` is a sentence for a person. */
  | { readonly kind: 'refused'; readonly why: string };

const REPOSITORY = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}\/[A-Za-z0-9._-]{1,100}$/;
/** What cannot break out of the text of a source. */
const PLAIN_REF = /^[A-Za-z0-9][\w./+-]*$/;
const PLAIN_PATH = /^[^\u0000-\u001f\\#?]+$/;
const DEFAULT_REGISTRY = /^https:\/\/registry\.npmjs\.org\/?$/;

/** Reads the `source` of a marketplace's entry. A command is never run: an entry that needs one is refused. */
export function pluginSource(source: unknown, pluginRoot: string | undefined): PluginSource {
  if (typeof source === 'string') return insideSource(source, pluginRoot);
  if (!isObject(source)) return refused('it has no "source"');
  switch (source['source']) {
    case 'github': return repositorySource(source['repo'], source, undefined);
    case 'url': return repositorySource(source['url'], source, undefined);
    case 'git-subdir': return typeof source['path'] === 'string' ? repositorySource(source['url'], source, source['path']) : refused('its source has no "path"');
    case 'npm': return npmSource(source);
    case 'archive': return archiveSource(source);
    case 'command': return refused('its source is a command, and installing runs nothing');
    default: return refused(`its source is of the kind ${JSON.stringify(source['source'] ?? null)}, which skillmint does not know`);
  }
}

function insideSource(text: string, pluginRoot: string | undefined): PluginSource {
  const full = text.startsWith('./') || text === '.' || pluginRoot === undefined ? text : `${pluginRoot}/${text}`;
  const parts = full.split('/').filter((part) => part !== '' && part !== '.');
  if (full.startsWith('/') || /^[A-Za-z]:|[\\\0]|^~/.test(full) || parts.includes('..')) return refused(`its path ${JSON.stringify(text)} leads out of the marketplace`);
  return { kind: 'inside', path: parts.join('/') };
}

/** A repository by its address, or `OWNER/REPO` on GitHub. A commit beats a branch. */
function repositorySource(address: unknown, { ref, sha }: Record<string, unknown>, folder: string | undefined): PluginSource {
  if (typeof address !== 'string') return refused('its source names no repository');
  const commit = sha ?? ref;
  if (commit !== undefined && (typeof commit !== 'string' || !PLAIN_REF.test(commit))) return refused(`${JSON.stringify(commit)} is no name of a branch, tag or commit`);
  if (folder !== undefined && (!PLAIN_PATH.test(folder) || folder.startsWith('/') || folder.split('/').includes('..'))) return refused(`its path ${JSON.stringify(folder)} leads out of the repository`);
  const place = commit === undefined && folder === undefined ? '' : `#${commit ?? ''}${folder === undefined ? '' : `:${folder.replace(/^(?:\.\/)+/, '')}`}`;
  if (REPOSITORY.test(address)) return { kind: 'elsewhere', source: `${address}${place}` };
  const url = httpsAddress(address);
  return url === undefined ? refused(`${JSON.stringify(address)} is no https address of a repository`) : { kind: 'elsewhere', source: `git+${url}${place}` };
}

function npmSource({ package: name, version, registry }: Record<string, unknown>): PluginSource {
  if (typeof name !== 'string' || !/^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i.test(name)) return refused('its source names no npm package');
  if (registry !== undefined && !(typeof registry === 'string' && DEFAULT_REGISTRY.test(registry))) return refused(`it comes from another npm registry (${JSON.stringify(registry)}); install it from there by hand`);
  if (version !== undefined && (typeof version !== 'string' || !/^[\w.^~<>=*|+ -]+$/.test(version))) return refused(`${JSON.stringify(version)} is no version of a package`);
  return { kind: 'elsewhere', source: `npm:${name}${version === undefined ? '' : `@${version}`}` };
}

function archiveSource({ url: address, sha256 }: Record<string, unknown>): PluginSource {
  const url = typeof address === 'string' ? httpsAddress(address) : undefined;
  if (url === undefined) return refused('its source has no https address of an archive');
  if (sha256 === undefined) return { kind: 'elsewhere', source: url };
  if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/i.test(sha256)) return refused('its "sha256" is no digest of 64 hex digits');
  return { kind: 'elsewhere', source: url, integrity: `sha256-${Buffer.from(sha256, 'hex').toString('base64')}` };
}

/** The address in its plain form, without anything that has a meaning to `skills install`. */
function httpsAddress(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const url = new URL(text);
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.hash === '' ? url.href : undefined;
}

function refused(why: string): PluginSource {
  return { kind: 'refused', why };
}
