import path from 'node:path';
import type { SkillDiagnostic } from '../../protocol/skill.ts';
import { bodyPieces } from '../activate/body-pieces.ts';
import { listSkillFiles } from '../files.ts';
import { warning } from '../read/diagnostic.ts';
import type { Subject } from './subject.ts';

const LINK = /\]\([ \t]{0,9}<?([^)\s>]{1,500})>?(?:[ \t]{1,9}"[^"\n]{0,300}")?[ \t]{0,9}\)/g;
const NAMED = /(?<![\w/.$}-])((?:\.\/)?(?:scripts|references|assets)\/[\w./-]{0,500}\w\.[A-Za-z0-9]{1,5})/g;

/** Files that the body names and the folder does not have. Fences hold examples and are left out. */
export function referenceRules({ tree, folder, document }: Subject): SkillDiagnostic[] {
  const outsideCode = bodyPieces(document.body).flatMap(({ kind, text }) => (kind === 'fence' ? [] : [text])).join('');
  const links = [...outsideCode.matchAll(LINK)].map((match) => match[1] ?? '').filter((target) => isLocalFile(target));
  const named = [...outsideCode.matchAll(NAMED)].map((match) => match[1] ?? '');
  const targets = new Set([...links, ...named].map((target) => path.posix.normalize(decode(target.replace(/[?#].*$/, '')))));
  if (targets.size === 0) return [];
  const { files, truncated } = listSkillFiles(tree, folder);
  const known = new Set(files.flatMap(({ path: at }) => [at, ...parents(at)]));
  return [...targets]
    .filter((target) => target !== '.' && !truncated && !known.has(target.replace(/\/$/, '')))
    .map((target) => (target.startsWith('..') ? warning('reference-outside', `the body names ${target}, which lies outside the skill`) : warning('reference-missing', `the body names ${target}, which does not exist`)));
}

function isLocalFile(target: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|#|\/|~|\$|\{)/i.test(target) && /\.[A-Za-z0-9]{1,5}(?:[?#]|$)/.test(target) && !/[<>{}*]/.test(target);
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch (error) {
    if (error instanceof URIError) return target;
    throw error;
  }
}

function parents(at: string): string[] {
  const segments = at.split('/');
  return segments.slice(1).map((_, i) => segments.slice(0, i + 1).join('/'));
}
