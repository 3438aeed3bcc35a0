import { expandBraces, matchesGlob } from '../util/glob.ts';
import { never } from '../util/never.ts';

/** Where a pattern of a file rule begins. */
export type PathAnchor = 'root' | 'home' | 'folder' | 'anywhere';

/** A file pattern: `variants` are its segments, once for each choice of its braces. */
export interface PathPattern {
  readonly anchor: PathAnchor;
  readonly variants: readonly (readonly string[])[];
}

/** What patterns are relative to; real, absolute paths. */
export interface PatternBase {
  /** The session's folder, or that of the settings file. */
  readonly folder: string;
  readonly home: string;
}

/**
 * Parses the path of a file rule: `//x` from the file system's root, `~/x` from the home, `/x`, `./x` and `a/b` from the
 * session's folder, a bare name at any depth below it. A problem is a sentence.
 */
export function parsePathPattern(spec: string): PathPattern | string {
  if (/[\0[\]]/.test(spec)) return 'brackets have no meaning in its path; use *, ?, ** and {a,b}';
  const [anchor, rest] = anchorOf(spec);
  const whole = rest.endsWith('/') ? `${rest}**` : rest;
  const expanded = expandBraces(whole);
  if (!expanded) return 'a brace in its path stays open, or stands for more than 64 paths';
  const variants = expanded.map((variant) => segmentsOf(variant));
  if (variants.some((segments) => segments.includes('..'))) return 'its path holds ".."; write the path itself';
  if (variants.some((segments) => segments.length === 0) && anchor === 'folder') return 'its path is empty';
  return { anchor, variants };
}

function anchorOf(spec: string): readonly [PathAnchor, string] {
  if (spec.startsWith('//')) return ['root', spec.slice(2)];
  if (/^[A-Za-z]:[\\/]/.test(spec)) return ['root', spec];
  if (spec === '~' || spec.startsWith('~/')) return ['home', spec.slice(2)];
  if (spec.startsWith('/')) return ['folder', spec.slice(1)];
  if (spec.startsWith('./')) return ['folder', spec.slice(2)];
  return [spec.includes('/') ? 'folder' : 'anywhere', spec];
}

/** True when the pattern fits an absolute path. With `below`, so does everything below a path that fits. */
export function matchesPath(pattern: PathPattern, path: string, options: PatternBase & { readonly below: boolean }): boolean {
  const base = baseOf(pattern.anchor, options);
  if (!isWithin(base, path)) return false;
  const rest = segmentsOf(path).slice(segmentsOf(base).length);
  return floating(pattern).some((segments) => matchesGlob(segments, rest, options));
}

/** True when something that the pattern fits may lie in the folder, however deep. */
export function mayMatchBelow(pattern: PathPattern, folder: string, base: PatternBase): boolean {
  const inside = segmentsOf(folder);
  return floating(pattern).some((segments) => {
    const firstGlob = segments.findIndex((segment) => /[*?]/.test(segment));
    const fixed = [...segmentsOf(baseOf(pattern.anchor, base)), ...(firstGlob < 0 ? segments : segments.slice(0, firstGlob))];
    const shared = Math.min(fixed.length, inside.length);
    return fixed.slice(0, shared).every((segment, index) => segment === inside[index]);
  });
}

/** True when the pattern spells the name as one of its segments, not by a star. */
export function spells(pattern: PathPattern, name: string): boolean {
  return pattern.variants.every((segments) => segments.some((segment) => segment.toLowerCase() === name.toLowerCase()));
}

function baseOf(anchor: PathAnchor, base: PatternBase): string {
  switch (anchor) {
    case 'root': return '/';
    case 'home': return base.home;
    case 'anywhere': return base.folder;
    case 'folder': return base.folder;
    default: return never(anchor);
  }
}

function floating({ anchor, variants }: PathPattern): readonly (readonly string[])[] {
  return anchor === 'anywhere' ? variants.map((segments) => ['**', ...segments]) : variants;
}

/** The names in a path, without empty ones and `.`; Windows separators count when the path has a drive. */
export function segmentsOf(path: string): readonly string[] {
  const plain = /^[A-Za-z]:[\\/]/.test(path) ? path.replaceAll('\\', '/') : path;
  return plain.split('/').filter((segment) => segment !== '' && segment !== '.');
}

/** True when `inner` is `root` or lies below it, by segment. */
export function isWithin(root: string, inner: string): boolean {
  const outer = segmentsOf(root);
  const segments = segmentsOf(inner);
  return !segments.includes('..') && outer.length <= segments.length && outer.every((segment, index) => segment === segments[index]);
}
