import { foreignTool } from '../../protocol/tool-names.ts';
import { bodyPieces } from './body-pieces.ts';

/** Most names of one note. */
const MOST_NAMES = 12;
/** A name of several words in one, as no ordinary word is written: `read_file`, `ReadFile`, `runSubagent`. */
const JOINED_NAME = /(?<![\w.$/\\#@-])(?:[a-z]+(?:_[a-z]+)+|[A-Z][a-z]+(?:[A-Z][a-z]+)+|[a-z]+(?:[A-Z][a-z]+)+)(?![\w/\\-]|\.\w)/g;
/** `the shell tool`; in between at most quotes. */
const SAID_TOOL = /\b(?:the|your|use|using|call|via|with)\s+[`*"']{0,3}([A-Za-z][\w-]*)[`*"']{0,3}\s+tool\b/gi;
/** A whole code span: a name, perhaps called. */
const SPAN = /^`+\s*([A-Za-z]\w*)(\([^]*\))?\s*`+$/;
/** Programs and kinds of tools that a text may mean by the name. */
const NEVER = new Set(['cat', 'patch', 'powershell', 'ripgrep', 'terminal', 'googlesearch']);
/** Everyday names on servers and in prose: they count only where the text calls them a tool. */
const COMMON = new Set('subagent todo todos tasklist taskget taskcreate taskupdate newtask toolsearch searchtools codesearch semanticsearch textsearch filesearch fetchurl strreplace'.split(' '));
/** Everyday names of functions, where they are written without underscores. */
const FUNCTIONS = new Set('createfile editfile readfile readfiles writefile listfiles searchfiles findfiles searchreplace runcommand executecommand viewfile'.split(' '));

/**
 * Names of other programs' tools that a body uses, with the tools here that they are, in the order of the text. Ordinary
 * words do not count, only code spans, names of several words in one, and "the X tool" in prose.
 */
export function foreignTools(body: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const add = (name: string, said: 'alone' | 'as a tool'): void => {
    const tool = foreignTool(name);
    if (tool !== undefined && isMeant(name, said)) found.set(name, tool);
  };
  const pieces = bodyPieces(body).filter(({ kind }) => kind === 'text' || kind === 'code');
  for (const { kind, text } of pieces) {
    if (kind === 'code') {
      const [, name = ''] = SPAN.exec(text) ?? [];
      add(name, 'alone');
    } else for (const [name] of text.matchAll(JOINED_NAME)) add(name, 'alone');
  }
  for (const [, name = ''] of pieces.map(({ text }) => text).join('').matchAll(SAID_TOOL)) add(name, 'as a tool');
  return found;
}

/** A line that says which tools the foreign names of a body are; undefined for a body without any. */
export function foreignToolNote(body: string): string | undefined {
  const found = [...foreignTools(body)];
  if (found.length === 0) return undefined;
  const shown = found.slice(0, MOST_NAMES).map(([name, tool]) => `\`${name}\` is the tool ${tool}`);
  return `(In these instructions ${shown.join(', ')}.)`;
}

function isMeant(name: string, said: 'alone' | 'as a tool'): boolean {
  const folded = name.toLowerCase().replace(/[_-]/g, '');
  const isShouted = /^[A-Z_]+$/.test(name);
  if (NEVER.has(folded) || isShouted) return false;
  const isCommon = COMMON.has(folded) || (FUNCTIONS.has(folded) && !name.includes('_'));
  return said === 'as a tool' || (!isCommon && /[_A-Z]/.test(name.slice(1)));
}
