import { createContext, useContext, useEffect, useMemo, useState, type ReactNode } from 'react';
import { keep, kept } from '../ui/kept.ts';
import { en, type Words } from './en.ts';
import { zh } from './zh.ts';

/** Languages of the interface. */
export type Language = 'en' | 'zh';

interface Spoken {
  readonly language: Language;
  readonly words: Words;
  readonly setLanguage: (language: Language) => void;
}

const WORDS: Readonly<Record<Language, Words>> = { en, zh };
const LanguageContext = createContext<Spoken>({ language: 'en', words: en, setLanguage: () => undefined });

function firstLanguage(): Language {
  const chosen = kept('language') ?? navigator.language;
  return chosen.startsWith('zh') ? 'zh' : 'en';
}

/** Gives the words to all below: those of the browser's language, or of the person's choice. */
export function LanguageProvider({ children }: { readonly children: ReactNode }): ReactNode {
  const [language, choose] = useState(firstLanguage);
  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
  }, [language]);
  const spoken = useMemo(() => ({
    language,
    words: WORDS[language],
    setLanguage: (chosen: Language) => {
      keep('language', chosen);
      choose(chosen);
    },
  }), [language]);
  return <LanguageContext value={spoken}>{children}</LanguageContext>;
}

/** The words of the chosen language. */
export function useLanguage(): Spoken {
  return useContext(LanguageContext);
}
