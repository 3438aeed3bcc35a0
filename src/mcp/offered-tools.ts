import { createHash } from 'node:crypto';
import type { Tool as RemoteTool } from '@modelcontextprotocol/client';
import type { ToolSpec } from '../protocol/tool.ts';
import { cutStart } from '../util/cut-text.ts';
import { usableSchema } from './input-schema.ts';

/** Tools of one server; a model finds a few of them at a time. */
const MOST_TOOLS = 1_000;
/** Characters of a tool's name here: what providers take. */
const MOST_NAME = 64;
const MOST_DESCRIPTION = 1_000;
const MARK = 6;

/** A tool of a server with the name that it has here. */
export interface OfferedTool {
  /** `mcp__SERVER__TOOL`. */
  readonly spec: ToolSpec;
  readonly remote: RemoteTool;
}

/** The tools of a server, and sentences on those that cannot be used. */
export interface OfferedTools {
  readonly tools: readonly OfferedTool[];
  readonly notes: readonly string[];
}

/**
 * Gives a server's tools names that every provider takes: letters, digits, `-` and `_`. Two that would have the same name,
 * letter case aside, and names that are too long get a mark made of the name that the server uses.
 */
export function offeredTools(shortName: string, remote: readonly RemoteTool[]): OfferedTools {
  const notes = remote.length > MOST_TOOLS ? [`it offers ${remote.length} tools, of which the first ${MOST_TOOLS} are used`] : [];
  const kept = remote.slice(0, MOST_TOOLS);
  const plain = kept.map(({ name }) => name.replace(/[^A-Za-z0-9_-]/g, '_'));
  const count = new Map<string, number>();
  for (const name of plain) count.set(name.toLowerCase(), (count.get(name.toLowerCase()) ?? 0) + 1);
  const taken = new Set<string>();
  const tools = kept.flatMap((tool, index): OfferedTool[] => {
    const input = usableSchema(tool.inputSchema);
    const name = toolName(shortName, { plain: plain[index] ?? '', original: tool.name, isShared: (count.get((plain[index] ?? '').toLowerCase()) ?? 0) > 1 });
    if (input === undefined || tool.name === '' || taken.has(name.toLowerCase())) {
      notes.push(`its tool ${JSON.stringify(tool.name.slice(0, 80))} is left out: ${tool.name === '' ? 'it has no name' : input === undefined ? 'its input is no object' : 'there is one of that name'}`);
      return [];
    }
    taken.add(name.toLowerCase());
    return [{ remote: tool, spec: { name, description: cutStart(tool.description ?? tool.title ?? '', MOST_DESCRIPTION), input_schema: input } }];
  });
  return { tools, notes };
}

function toolName(shortName: string, { plain, original, isShared }: { readonly plain: string; readonly original: string; readonly isShared: boolean }): string {
  const prefix = `mcp__${shortName}__`;
  const room = Math.max(MOST_NAME - prefix.length, 2 * MARK);
  if (plain.length <= room && !isShared) return `${prefix}${plain}`;
  return `${prefix}${plain.slice(0, room - MARK - 1)}_${createHash('sha256').update(original).digest('hex').slice(0, MARK)}`;
}
