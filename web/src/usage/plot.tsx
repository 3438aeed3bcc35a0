import { useEffect, useRef, useState, type ReactNode } from 'react';
import 'uplot/dist/uPlot.min.css';
import type { UsageSum } from '../../../src/protocol/usage.ts';
import { useLanguage } from '../i18n/language.tsx';
import { drawPlot } from './draw-plot.ts';
import { onTheme } from './on-theme.ts';
import { useNumbers } from './numbers.ts';
import styles from './plot.module.css';

/** One kind of what is shown. */
export interface Kind {
  readonly label: string;
  readonly of: (day: UsageSum) => number;
  /** Where its colour is in the palette of the plots. */
  readonly colour: 1 | 2 | 3 | 4;
}

/** Bars for each day in the colours of the theme, with a key that tells the numbers of the day under the pointer. */
export function Plot({ title, days, kinds, format, whole }: { readonly title: string; readonly days: readonly UsageSum[]; readonly kinds: readonly Kind[]; readonly format: (value: number) => string; /** The number of all days. */ readonly whole: (kind: Kind) => number }): ReactNode {
  const { words: { usage } } = useLanguage();
  const numbers = useNumbers();
  const place = useRef<HTMLDivElement>(null);
  const swatches = useRef(new Map<number, HTMLElement>());
  const [hovered, setHovered] = useState<number>();
  useEffect(() => {
    const element = place.current;
    if (!element) return undefined;
    const styleOf = (part: Element | undefined): CSSStyleDeclaration => getComputedStyle(part ?? element);
    const plot = drawPlot(element, {
      days: days.map(({ day }) => numbers.shortDay(day)),
      series: kinds.map(({ label, of, colour }) => ({ label, values: days.map(of), colour: () => styleOf(swatches.current.get(colour)).backgroundColor })),
      format,
      text: () => styleOf(undefined).color,
      line: () => styleOf(undefined).borderTopColor,
      onDay: setHovered,
    });
    const sizes = new ResizeObserver(() => plot.setSize({ width: Math.max(element.clientWidth, 1), height: plot.height }));
    sizes.observe(element);
    const offTheme = onTheme(() => plot.redraw());
    return () => {
      offTheme();
      sizes.disconnect();
      plot.destroy();
    };
  }, [days, kinds, format, numbers]);
  const day = hovered === undefined ? undefined : days[hovered];
  const span = usage.plotOf(title, numbers.day(days[0]?.day ?? ''), numbers.day(days.at(-1)?.day ?? ''));
  return (
    <figure className={styles.figure}>
      <figcaption className={styles.title}><h2>{title}</h2><span className={styles.day}>{day ? numbers.day(day.day) : usage.inAll}</span></figcaption>
      <ul className={styles.key}>
        {kinds.map((kind) => (
          <li key={kind.label}>
            <span aria-hidden="true" className={[styles.swatch, styles[`colour${kind.colour}`]].join(' ')} ref={(element) => { if (element) swatches.current.set(kind.colour, element); }} />
            {kind.label} <b>{format(day ? kind.of(day) : whole(kind))}</b>
          </li>
        ))}
      </ul>
      <div ref={place} role="img" aria-label={span} className={styles.place} />
    </figure>
  );
}
