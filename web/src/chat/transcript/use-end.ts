import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** So near to the end counts as there, px. */
const NEAR = 48;
/** What moves so soon after a key, a wheel or a touch was moved by the person, ms. */
const HAND_MS = 400;
const HANDS = ['wheel', 'touchmove', 'keydown', 'pointerdown', 'pointerup'] as const;
const KEYS_UP = new Set(['ArrowUp', 'PageUp', 'Home']);

/** The end of a list that grows. */
export interface End {
  readonly box: RefObject<HTMLDivElement | null>;
  /** False once the person has scrolled away from it. */
  readonly isKept: boolean;
  readonly toEnd: () => void;
  readonly onScroll: () => void;
  /** Something in the list has become larger or smaller, or the list itself. */
  readonly onResize: () => void;
}

/** Keeps a list at its end with each `change`, unless the person scrolls up; going back to the end keeps it there again. */
export function useEnd(change: unknown): End {
  const box = useRef<HTMLDivElement>(null);
  const offset = useRef(0);
  const kept = useRef(true);
  const { isAtWork, goesUp } = useHand(box, () => keep(false));
  const [isKept, show] = useState(true);
  const keep = useCallback((value: boolean): void => {
    kept.current = value;
    show(value);
  }, []);
  const follow = useCallback((): void => {
    if (kept.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);
  useLayoutEffect(follow, [change, follow]);
  const toEnd = useCallback((): void => {
    keep(true);
    follow();
  }, [keep, follow]);
  const onScroll = useCallback((): void => {
    if (!box.current) return;
    const { scrollTop, clientHeight, scrollHeight } = box.current;
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - NEAR;
    if (isAtEnd && scrollTop > offset.current && !goesUp()) keep(true);
    else if (!isAtEnd && scrollTop < offset.current && isAtWork()) keep(false);
    offset.current = scrollTop;
  }, [keep, isAtWork, goesUp]);
  const onResize = useCallback((): void => {
    // What a person has just opened stays where it is.
    if (!isAtWork()) follow();
  }, [isAtWork, follow]);
  return { box, isKept, toEnd, onScroll, onResize };
}

/** What the person does with wheel, keys and fingers. */
interface Hand {
  readonly isAtWork: () => boolean;
  readonly goesUp: () => boolean;
}

/** Looks at what a person does in the box; `onUp` is told at once when it leads up, since the browser scrolls only later. */
function useHand(box: RefObject<HTMLDivElement | null>, onUp: () => void): Hand {
  const last = useRef({ at: -HAND_MS, isUp: false, isDown: false });
  const tell = useRef(onUp);
  useEffect(() => {
    tell.current = onUp;
  });
  useEffect(() => {
    const { current } = box;
    const note = (event: Event): void => {
      const isUp = leadsUp(event);
      last.current = { at: event.timeStamp, isUp, isDown: event.type === 'pointerdown' || (event.type !== 'pointerup' && last.current.isDown) };
      if (isUp && (current?.scrollTop ?? 0) > 0) tell.current();
    };
    for (const name of HANDS) current?.addEventListener(name, note, { passive: true });
    return () => {
      for (const name of HANDS) current?.removeEventListener(name, note);
    };
  }, [box]);
  const isAtWork = useCallback(() => last.current.isDown || performance.now() - last.current.at < HAND_MS, []);
  const goesUp = useCallback(() => last.current.isUp && isAtWork(), [isAtWork]);
  return { isAtWork, goesUp };
}

function leadsUp(event: Event): boolean {
  return (event instanceof WheelEvent && event.deltaY < 0) || (event instanceof KeyboardEvent && KEYS_UP.has(event.key) && event.target === event.currentTarget);
}
