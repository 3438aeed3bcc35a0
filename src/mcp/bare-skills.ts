import { createHash } from 'node:crypto';
import type { SupervisedServer } from './supervised-server.ts';

/** A skill among the resources of a server: `skill://…/NAME/SKILL.md` and what else is listed below that folder. */
export interface BareSkill {
  readonly name: string;
  /** Address of its folder, with `/` at the end. */
  readonly root: string;
  /** Addresses of its files. */
  readonly files: readonly string[];
}

/** Finds the skills that a server without the skills extension lists as resources; none where it has no resources. Rejects as the server's `ask` does. */
export async function bareSkills(server: SupervisedServer, signal: AbortSignal): Promise<readonly BareSkill[]> {
  const uris = await server.ask(async (client, options) => (client.getServerCapabilities()?.resources ? (await client.listResources(undefined, options)).resources.map(({ uri }) => uri) : []), signal);
  const listed = [...new Set(uris)].filter((uri) => uri.startsWith('skill://'));
  const roots = listed.flatMap((uri) => /^(.*\/)SKILL\.md$/.exec(uri)?.[1] ?? []);
  // A skill may lie in the folder of another one.
  const rootOf = (uri: string): string | undefined => roots.filter((root) => uri.startsWith(root)).toSorted((a, b) => b.length - a.length)[0];
  return roots.map((root) => ({ name: root.split('/').at(-2) ?? '', root, files: listed.filter((uri) => rootOf(uri) === root) }));
}

/** Reads a resource as a file; its digest is that of what came. Rejects as the server's `ask` does. */
export async function readBareFile(server: SupervisedServer, uri: string, signal: AbortSignal): Promise<{ readonly bytes: Uint8Array; readonly digest: string }> {
  const { contents: [content] } = await server.ask((client, options) => client.readResource({ uri }, options), signal);
  const bytes = content === undefined ? Buffer.alloc(0) : 'text' in content ? Buffer.from(content.text) : Buffer.from(content.blob, 'base64');
  return { bytes, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` };
}
