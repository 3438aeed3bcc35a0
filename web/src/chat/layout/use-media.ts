import { useCallback, useSyncExternalStore } from 'react';

/** True while the window fits the media query. */
export function useMedia(query: string): boolean {
  const follow = useCallback((changed: () => void) => {
    const media = window.matchMedia(query);
    media.addEventListener('change', changed);
    return () => media.removeEventListener('change', changed);
  }, [query]);
  return useSyncExternalStore(follow, () => window.matchMedia(query).matches);
}
