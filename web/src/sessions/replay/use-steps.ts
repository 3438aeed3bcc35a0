import { useEffect, useState } from 'react';

/** Where a replay stands. */
export interface Steps {
  /** From 1. */
  readonly step: number;
  readonly toStep: (step: number) => void;
}

const OWN_KEYS = 'input, textarea, select, [contenteditable]';

/** Steps through so many events, with the arrow keys, too. */
export function useSteps(count: number): Steps {
  const [step, setStep] = useState(1);
  const bounded = (wanted: number): number => Math.min(Math.max(wanted, 1), Math.max(count, 1));
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const by = new Map([['ArrowRight', 1], ['ArrowLeft', -1], ['PageDown', 10], ['PageUp', -10], ['End', count], ['Home', -count]]).get(event.key);
      if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || (event.target instanceof Element && event.target.closest(OWN_KEYS))) return;
      event.preventDefault();
      setStep((now) => Math.min(Math.max(now + by, 1), Math.max(count, 1)));
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [count]);
  return { step: bounded(step), toStep: (wanted) => setStep(bounded(wanted)) };
}
