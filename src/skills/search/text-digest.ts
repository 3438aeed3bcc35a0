import { sha256 } from '../sha256.ts';
import { BODY_HEAD_CHARS, type IndexText } from './index-text.ts';

/** Stands for what is searched of a skill: the same for equal skills, wherever they lie. Tags that a model wrote are kept under it. */
export function textDigest({ name, description, whenToUse = '', tags = [], body = '' }: IndexText): string {
  return sha256(JSON.stringify([name, description, whenToUse, tags, body.slice(0, BODY_HEAD_CHARS)]));
}
