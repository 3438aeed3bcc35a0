/** A line of frontmatter that starts a field. */
export interface KeyLine {
  readonly key: string;
  readonly value: string;
}

const PLAIN = /^([A-Za-z_][\w.-]*|"[^"\n]+"|'[^'\n]+')[ \t]*:(?:[ \t]+(.*))?$/;
const DECORATED = /^\s*(?:#{1,6}\s+|[-*>]\s+)?(?:\*\*|__)?\s*([^:：*_\n`]{1,40}?)\s*(?:\*\*|__)?\s*[:：]\s*(?:\*\*|__)?\s*(.*)$/;

/** Field names as people write them, folded, with the names that the rest of the program uses. */
const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['名称', 'name'],
  ['名字', 'name'],
  ['技能名称', 'name'],
  ['描述', 'description'],
  ['说明', 'description'],
  ['技能描述', 'description'],
  ['userinvokable', 'userinvocable'],
]);

const CORE = new Set(['name', 'description']);

/** Letter case and `-`, `_`, spaces do not tell field names apart; Chinese ones have their English twin. */
export function foldKey(key: string): string {
  const folded = key.trim().toLowerCase().replace(/[\s_-]/g, '');
  return SPELLINGS.get(folded) ?? folded;
}

/** Reads `key: value` at the start of a line, as YAML would. */
export function keyLine(line: string): KeyLine | undefined {
  const match = PLAIN.exec(line);
  if (!match) return undefined;
  const [, key = '', value = ''] = match;
  return { key: /^["']/.test(key) ? key.slice(1, -1) : key, value: value.trim() };
}

/** Reads a field written as Markdown: `**Name**: x`, `## name: x`, `- Name: x`, or with a full-width colon. */
export function decoratedKeyLine(line: string): KeyLine | undefined {
  const match = DECORATED.exec(line);
  if (!match) return undefined;
  const [, key = '', value = ''] = match;
  return { key: SPELLINGS.get(foldKey(key)) ?? key.trim(), value: unquoteTypographic(value.trim().replace(/\s*(?:\*\*|__)$/, '')) };
}

/** True for a line that names the skill or describes it, in plain or decorated writing. */
export function isCoreKeyLine(line: string): boolean {
  const found = keyLine(line) ?? decoratedKeyLine(line);
  return found !== undefined && CORE.has(foldKey(found.key));
}

/** Like `keyLine`, but `name:value` without a space is taken too where the key is a core one. */
export function looseKeyLine(line: string): KeyLine | undefined {
  const plain = keyLine(line);
  if (plain) return plain;
  const match = /^([A-Za-z_-]+|[\u4e00-\u9fff]{2,4})[ \t]*[:：][ \t]*(\S.*)?$/.exec(line);
  if (!match) return undefined;
  const [, key = '', value = ''] = match;
  return CORE.has(foldKey(key)) ? { key: SPELLINGS.get(foldKey(key)) ?? key, value: unquoteTypographic(value.trim()) } : undefined;
}

function unquoteTypographic(value: string): string {
  const inner = /^[“"'‘](.*)[”"'’]$/.exec(value);
  return inner?.[1] ?? value;
}
