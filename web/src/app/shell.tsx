import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link, useRoute } from 'wouter';
import { useLanguage } from '../i18n/language.tsx';
import { Button } from '../ui/button.tsx';
import { forget } from '../ui/kept.ts';
import { Problem } from '../ui/notice.tsx';
import { logOut } from '../login/log-in.ts';
import { useTheme } from '../ui/theme.tsx';
import { pageAt, PAGES } from './pages.ts';
import styles from './shell.module.css';

/** What surrounds every page: where one can go, language, theme, logging out. */
export function Shell({ children, onLogout }: { readonly children: ReactNode; readonly onLogout: () => void }): ReactNode {
  const { words, language, setLanguage } = useLanguage();
  const { theme, nextTheme } = useTheme();
  const leaving = useMutation({
    mutationFn: logOut,
    onSuccess: () => {
      // Somebody else may log in here.
      forget('draft.');
      forget('chat.');
      onLogout();
    },
  });
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#main">{words.app.skip}</a>
      <header className={styles.bar}>
        <Link href="/" className={styles.name}><img src="/mint.svg" alt="" width="24" height="24" /><span>skillmint</span></Link>
        <nav aria-label={words.app.pages} className={styles.pages}>
          <Place href="/" also="/chat/:id">{words.app.chat}</Place>
          <Place href="/skills" also="/skills/:id/*?">{words.app.skills}</Place>
          <Place href="/sessions" also="/sessions/:id">{words.app.sessions}</Place>
          <Place href="/usage">{words.app.usage}</Place>
          <Place href="/settings" also="/settings/:section">{words.app.settings}</Place>
        </nav>
        <div className={styles.tools}>
          <Button kind="plain" onClick={() => setLanguage(language === 'en' ? 'zh' : 'en')} lang={language === 'en' ? 'zh' : 'en'}>{language === 'en' ? '中文' : 'English'}</Button>
          <Button kind="plain" onClick={nextTheme} title={words.app.theme[theme]} aria-label={words.app.theme[theme]}>{{ auto: '◐', light: '☀', dark: '☾' }[theme]}</Button>
          <Button kind="plain" onClick={() => leaving.mutate()}>{words.app.logout}</Button>
        </div>
      </header>
      <Problem error={leaving.error} />
      <main id="main" tabIndex={-1} className={styles.main}>{children}</main>
    </div>
  );
}

function Place({ href, also, children }: { readonly href: string; readonly also?: string; readonly children: ReactNode }): ReactNode {
  const [isHere] = useRoute(href);
  const [isBelow] = useRoute(also ?? href);
  const { load } = PAGES[pageAt(href)];
  return <Link href={href} onPointerEnter={load} onFocus={load} className={styles.place} aria-current={isHere || isBelow ? 'page' : undefined}>{children}</Link>;
}
