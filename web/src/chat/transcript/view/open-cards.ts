import { createContext, useContext, useState } from 'react';

/** Which cards the person has opened or closed. Cards that are scrolled away are taken down; what was chosen outlives them. */
export const OpenCardsContext = createContext<Map<string, boolean>>(new Map());

/** Whether a card is open: as it was left; folded at first. */
export function useOpenCard(key: string): readonly [boolean, (isOpen: boolean) => void] {
  const chosen = useContext(OpenCardsContext);
  const [, again] = useState(0);
  const choose = (isOpen: boolean): void => {
    if ((chosen.get(key) ?? false) === isOpen) return;
    chosen.set(key, isOpen);
    again((count) => count + 1);
  };
  return [chosen.get(key) ?? false, choose];
}
