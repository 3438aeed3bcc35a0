import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';

/** So near to the end counts as there, px. */
const NEAR = 48;
/** What moves so soon after a key, a wheel or a touch was moved by the person, ms. */
const HAND_MS = 400;
const HANDS = ['wheel', 'touchmove', 'keydown', 'pointerdown'] as const;
/** They may come elsewhere than where the pointer went down. */
const RELEASES = ['pointerup', 'pointercancel'] as const;
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

/** Keeps a list at its end with each `change`, unless the person scrolls up or is about to answer a question in it; going back to the end keeps it there again. */
export function useEnd(change: unknown): End {
  const box = useRef<HTMLDivElement>(null);
  const offset = useRef(0);
  const kept = useRef(true);
  const { isAtWork, isDown, isAt, goesUp } = useHand(box, () => keep(false));
  const [isKept, show] = useState(true);
  const keep = useCallback((value: boolean): void => {
    kept.current = value;
    show(value);
  }, []);
  const goToEnd = useCallback((): void => {
    if (box.current) box.current.scrollTop = box.current.scrollHeight;
  }, []);
  const follow = useCallback((): void => {
    if (kept.current && !isDown() && !isAt('[data-request]')) goToEnd();
  }, [isDown, isAt, goToEnd]);
  useLayoutEffect(follow, [change, follow]);
  const toEnd = useCallback((): void => {
    keep(true);
    goToEnd();
  }, [keep, goToEnd]);
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
  /** A button of the pointer, or a finger, is down. */
  readonly isDown: () => boolean;
  /** An element of this kind is under the mouse, or has the focus: somebody may be about to press what is in it. */
  readonly isAt: (kind: string) => boolean;
  readonly goesUp: () => boolean;
}

/** Looks at what a person does in the box; `onUp` is told at once when it leads up, since the browser scrolls only later. */
function useHand(box: RefObject<HTMLDivElement | null>, onUp: () => void): Hand {
  const last = useRef({ at: -HAND_MS, isUp: false, isDown: false });
  const mouse = useRef<readonly [x: number, y: number]>(undefined);
  const tell = useRef(onUp);
  useEffect(() => {
    tell.current = onUp;
  });
  useEffect(() => {
    const { current } = box;
    const note = (event: Event): void => {
      const isUp = leadsUp(event);
      last.current = { at: event.timeStamp, isUp, isDown: event.type === 'pointerdown' || last.current.isDown };
      if (isUp && (current?.scrollTop ?? 0) > 0) tell.current();
    };
    const point = ({ pointerType, clientX, clientY }: PointerEvent): void => {
      mouse.current = pointerType === 'mouse' ? [clientX, clientY] : undefined;
    };
    const release = ({ timeStamp }: Event): void => {
      if (last.current.isDown) last.current = { at: timeStamp, isUp: false, isDown: false };
    };
    for (const name of HANDS) current?.addEventListener(name, note, { passive: true });
    for (const name of RELEASES) window.addEventListener(name, release);
    window.addEventListener('pointermove', point, { passive: true });
    return () => {
      window.removeEventListener('pointermove', point);
      for (const name of RELEASES) window.removeEventListener(name, release);
      for (const name of HANDS) current?.removeEventListener(name, note);
    };
  }, [box]);
  const isDown = useCallback(() => last.current.isDown, []);
  const isAt = useCallback((kind: string) => {
    const there = [document.activeElement, mouse.current && document.elementFromPoint(...mouse.current)];
    return there.some((element) => box.current?.contains(element ?? null) === true && element?.closest(kind));
  }, [box]);
  const isAtWork = useCallback(() => isDown() || performance.now() - last.current.at < HAND_MS, [isDown]);
  const goesUp = useCallback(() => last.current.isUp && isAtWork(), [isAtWork]);
  return { isAtWork, isDown, isAt, goesUp };
}

function leadsUp(event: Event): boolean {
  return (event instanceof WheelEvent && event.deltaY < 0) || (event instanceof KeyboardEvent && KEYS_UP.has(event.key) && event.target === event.currentTarget);
}
