import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { kept, keep } from './kept.ts';

/** Light, dark, or as the system has it. */
export type Theme = 'auto' | 'light' | 'dark';
const THEMES: readonly Theme[] = ['auto', 'light', 'dark'];

interface Themed {
  readonly theme: Theme;
  readonly nextTheme: () => void;
}

const ThemeContext = createContext<Themed>({ theme: 'auto', nextTheme: () => undefined });

/** Gives the theme to all below, and keeps the choice in this browser. */
export function ThemeProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [theme, setTheme] = useState<Theme>(() => THEMES.find((name) => name === kept('theme')) ?? 'auto');
  useEffect(() => {
    if (theme === 'auto') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
    keep('theme', theme);
  }, [theme]);
  const themed = useMemo(() => ({ theme, nextTheme: () => setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'auto') }), [theme]);
  return <ThemeContext value={themed}>{children}</ThemeContext>;
}

/** The theme, and how to change it. */
export function useTheme(): Themed {
  return useContext(ThemeContext);
}
