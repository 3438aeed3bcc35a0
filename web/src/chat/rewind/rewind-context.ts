import { createContext } from 'react';

/** Opens what takes the chat back to before a message, by the number of its event; undefined where that cannot be done now. */
export const RewindContext = createContext<((seq: number) => void) | undefined>(undefined);
