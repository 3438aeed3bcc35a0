import type { Resolution } from '../discover/resolve-skill.ts';
import type { SkillEntry } from '../discover/skill-entry.ts';
import { bodyPieces } from './body-pieces.ts';

/** A skill that the person called. `args` is what stands behind a slash command, for each of several; a mention has none. */
export interface Invocation {
  readonly entry: SkillEntry;
  readonly args: string | undefined;
}

/** What a person's text calls. */
export interface ParsedText {
  readonly invocations: readonly Invocation[];
  /** The text without the slash commands at its start; mentions stay in it. */
  readonly rest: string;
  /** For each skill that was called and cannot be: why, for the person. */
  readonly refusals: readonly string[];
}

/** Most skills of one text. */
const MOST_SKILLS = 6;
/** Most different words with a dollar sign that are looked up. */
const MOST_LOOKUPS = 20;
const COMMAND = /^\/([^\s/\\]+)(?=\s|$)/;
const MENTION = /(?<![\w$\\/.@#=-])\$([\p{L}\p{N}][\p{L}\p{N}_.:-]*)/gu;

/**
 * Reads what a person typed: `/name arguments`, up to six commands one behind the other, and `$name` anywhere outside
 * of code. Only exact names count, in any letter case and with any separators for commands, letter for letter for
 * mentions; what names no skill (`/etc/passwd`, `$HOME`, `$1`, an unknown command) stays text.
 */
export async function parseInvocations(text: string, resolve: (name: string) => Promise<Resolution>): Promise<ParsedText> {
  const called: Called[] = [];
  let rest = text.trim();
  for (let match = COMMAND.exec(rest); match && called.length < MOST_SKILLS; match = COMMAND.exec(rest)) {
    const found = judge(match[1] ?? '', await resolve(match[1] ?? ''), 'command');
    if (!found) break;
    called.push(found);
    rest = rest.slice(match[0].length).trim();
  }
  const commands = called.length;
  for (const name of mentionsIn(rest)) {
    if (called.length >= MOST_SKILLS) break;
    const found = judge(name, await resolve(name), 'mention');
    if (found) called.push(found);
  }
  const seen = new Set<string>();
  const invocations = called.flatMap((each, i): Invocation[] => {
    if (each.kind === 'refused' || seen.has(each.entry.id)) return [];
    seen.add(each.entry.id);
    return [{ entry: each.entry, args: i < commands ? rest : undefined }];
  });
  return { invocations, rest: commands === 0 ? text : rest, refusals: called.flatMap((each) => (each.kind === 'refused' ? [each.why] : [])) };
}

type Called = { readonly kind: 'skill'; readonly entry: SkillEntry } | { readonly kind: 'refused'; readonly why: string };

/** Undefined for a name that is none of a skill. */
function judge(name: string, found: Resolution, written: 'command' | 'mention'): Called | undefined {
  switch (found.kind) {
    case 'found': {
      const isMeant = names(found.entry).some((each) => (written === 'command' ? fold(each) === fold(name) : each === name));
      if (!isMeant) return undefined;
      if (found.entry.frontmatter.userInvocable === false) return { kind: 'refused', why: `The skill ${found.entry.name} is not made to be called by name (user-invocable: false); the model loads it where it fits.` };
      return { kind: 'skill', entry: found.entry };
    }
    case 'unusable': return { kind: 'refused', why: `The skill ${found.entry.name} cannot be used: ${found.reason}.` };
    case 'ambiguous': return written === 'mention' ? undefined : { kind: 'refused', why: `"${name}" could be ${found.candidates.join(' or ')}. Name one of these.` };
    case 'missing': return undefined;
  }
}

/** Names behind a dollar sign, each once. */
function mentionsIn(text: string): readonly string[] {
  if (!text.includes('$')) return [];
  const prose = bodyPieces(text).flatMap((piece) => (piece.kind === 'text' ? [piece.text] : []));
  // Chinese and Japanese go on without a space: `$deploy一下`.
  const found = prose.flatMap((each) => [...each.matchAll(MENTION)].flatMap((match) => [match[1] ?? '', /^[\w.:-]*/.exec(match[1] ?? '')?.[0] ?? '']));
  return [...new Set(found.map((name) => name.replace(/[.:-]+$/, '')))].filter((name) => !/^(?:[\d.:-]*|[A-Z_][A-Z0-9_]*)$/.test(name)).slice(0, MOST_LOOKUPS);
}

/** What leads to a skill. */
function names(entry: SkillEntry): readonly string[] {
  return [entry.name, entry.id, entry.handle, entry.id.replace(/^plugin:/, '')];
}

function fold(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/[\s_.-]+/g, '-');
}
