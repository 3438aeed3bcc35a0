import type { UserPart } from '../protocol/content.ts';
import type { ModelInfo } from './model.ts';

/** The parts as the model can take them: a picture or document that it cannot read becomes a line that says so. */
export function acceptable(parts: readonly UserPart[], info: ModelInfo): readonly UserPart[] {
  return parts.map((part) => {
    if (part.type === 'image' && !info.images) return leftOut(`picture (${part.media_type})`);
    if (part.type === 'document' && !info.documents) return leftOut(`document ${part.name ?? ''} (${part.media_type})`);
    return part;
  });
}

function leftOut(what: string): UserPart {
  return { type: 'text', text: `[${what.replaceAll('  ', ' ')} left out: this model cannot read it]` };
}

/** A `data:` URL of a picture or document. */
export function dataUrl(part: { readonly media_type: string; readonly data: string }): string {
  return `data:${part.media_type};base64,${part.data}`;
}
