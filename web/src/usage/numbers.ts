import { useMemo } from 'react';
import { useLanguage } from '../i18n/language.tsx';

/** How numbers are written in the chosen language. */
export interface Numbers {
  readonly count: (value: number) => string;
  /** Shortened, for axes and tiles: 12k. */
  readonly short: (value: number) => string;
  /** USD. */
  readonly cost: (usd: number) => string;
  /** Of ms. */
  readonly time: (ms: number) => string;
  /** A day as `2026-01-31`. */
  readonly day: (day: string) => string;
  /** The same without its year, for axes. */
  readonly shortDay: (day: string) => string;
}

const SMALL_USD = 1;
const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** Numbers and dates of the chosen language. */
export function useNumbers(): Numbers {
  const { language } = useLanguage();
  return useMemo(() => numbersOf(language === 'zh' ? 'zh-CN' : 'en'), [language]);
}

function numbersOf(locale: string): Numbers {
  const count = new Intl.NumberFormat(locale);
  const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 });
  const usd = (digits: number): Intl.NumberFormat => new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', minimumFractionDigits: 2, maximumFractionDigits: digits });
  const [fine, coarse] = [usd(4), usd(2)];
  const unit = (name: string, digits: number): Intl.NumberFormat => new Intl.NumberFormat(locale, { style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits: digits });
  const times = [[HOUR, unit('hour', 1)], [MINUTE, unit('minute', 1)], [SECOND, unit('second', 1)]] as const;
  const ms = unit('millisecond', 0);
  const long = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  const brief = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' });
  return {
    count: (value) => count.format(value),
    short: (value) => short.format(value),
    cost: (value) => (value !== 0 && Math.abs(value) < SMALL_USD ? fine : coarse).format(value),
    time: (value) => {
      const [scale, form] = times.find(([least]) => value >= least) ?? [1, ms];
      return form.format(value / scale);
    },
    day: (day) => long.format(Date.parse(day)),
    shortDay: (day) => brief.format(Date.parse(day)),
  };
}
