import type { ReactNode } from 'react';

/** Drawn on 16 × 16, as strokes of the colour of the text. */
const STROKES = {
  add: 'M8 3v10M3 8h10',
  list: 'M2.5 4h11M2.5 8h11M2.5 12h11',
  details: 'M2.5 3h11v10h-11zM10 3v10',
  stop: 'M4.5 4.5h7v7h-7z',
  close: 'M4 4l8 8M12 4l-8 8',
} as const;

/** A sign that needs no font. It says nothing to screen readers: what it is on has a label. */
export function Icon({ name }: { readonly name: keyof typeof STROKES }): ReactNode {
  return <svg aria-hidden="true" width="1em" height="1em" viewBox="0 0 16 16" fill="none" stroke="currentColor" strokeWidth="1.6" strokeLinecap="round" strokeLinejoin="round"><path d={STROKES[name]} fill={name === 'stop' ? 'currentColor' : 'none'} /></svg>;
}
