import path from 'node:path';
import { SkillmintError } from '../../protocol/errors.ts';
import type { McpServerForm } from '../../protocol/mcp.ts';
import { addServer } from '../../runtime/mcp/edit-servers.ts';
import { oneLine, printJson, write } from '../terminal.ts';
import { targetOf } from '../../runtime/mcp/server-target.ts';
import { placesOf, serversHere } from './servers-here.ts';

/** What `skillmint mcp add` can be told beside name and target. */
export interface AddFlags {
  readonly scope: 'user' | 'project';
  readonly transport?: 'stdio' | 'http' | 'sse';
  readonly env?: readonly string[];
  readonly header?: readonly string[];
  readonly cwd?: string;
  readonly timeout?: number;
  readonly roots: boolean;
  readonly replace?: boolean;
  readonly json?: boolean;
}

interface Wanted {
  readonly name: string;
  readonly target: string;
  readonly args: readonly string[];
}

/** `skillmint mcp add`. Rejects with `usage` for what makes no server, and for a name that is taken. */
export async function addServerCommand(wanted: Wanted, flags: AddFlags): Promise<void> {
  const { name } = wanted;
  const form = formOf(wanted, flags);
  const file = await addServer(placesOf(await serversHere()), { name, form, scope: flags.scope, replace: flags.replace === true });
  if (flags.json) await printJson({ added: { name, scope: flags.scope, file } });
  else await write(process.stderr, `${name} was added to ${oneLine(file)}: ${oneLine(targetOf({ form }))}\nSee what it offers: skillmint mcp test ${name}\n`);
}

function formOf({ target, args }: Wanted, { transport, env, header, cwd, timeout, roots }: AddFlags): McpServerForm {
  const common = { ...(timeout === undefined ? {} : { timeout }), ...(roots ? {} : { roots }) };
  const isAddress = transport === undefined ? /^https?:\/\//i.test(target) : transport !== 'stdio';
  if (isAddress) {
    if (args.length > 0 || env !== undefined || cwd !== undefined) throw new SkillmintError('usage', 'An address takes no arguments, --env or --cwd; those are for programs.');
    return { type: transport === 'sse' ? 'sse' : 'http', url: target, ...(header === undefined ? {} : { headers: pairs(header, ':', '--header') }), ...common };
  }
  if (header !== undefined) throw new SkillmintError('usage', '--header is for addresses (https://…); a program gets variables with --env.');
  return { command: target, ...(args.length > 0 ? { args } : {}), ...(env === undefined ? {} : { env: pairs(env, '=', '--env') }), ...(cwd === undefined ? {} : { cwd: path.resolve(cwd) }), ...common };
}

function pairs(texts: readonly string[], mark: string, flag: string): Readonly<Record<string, string>> {
  return Object.fromEntries(texts.map((text): [string, string] => {
    const at = text.indexOf(mark);
    if (at <= 0) throw new SkillmintError('usage', `${flag} takes NAME${mark}${mark === ':' ? ' ' : ''}VALUE; one that was given has no name or no "${mark}".`);
    return [text.slice(0, at).trim(), text.slice(at + 1).replace(/^ /, '')];
  }));
}
