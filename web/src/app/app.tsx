import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense, useMemo, useState, type ReactNode } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { ServerError } from '../../../src/client/server-error.ts';
import { LanguageProvider } from '../i18n/language.tsx';
import { LoginPage } from '../login/login-page.tsx';
import { Problem } from '../ui/notice.tsx';
import { Loading } from '../ui/loading.tsx';
import { PageBoundary } from '../ui/page-boundary.tsx';
import { ThemeProvider } from '../ui/theme.tsx';
import { pageAt, PAGES } from './pages.ts';
import { useMe } from './server.ts';
import { Shell } from './shell.tsx';

/** One page for both, so that its list stays as it is when another chat is opened. */
const CHAT = /^\/(?:chat\/(?<id>[^/]+))?$/;

PAGES[pageAt(window.location.pathname)].load();

const isLoggedOut = (error: unknown): boolean => error instanceof ServerError && error.status === 401;

/** The whole interface; whoever is not let in sees the login. */
export function App(): ReactNode {
  const [isOut, setOut] = useState(window.location.hash.startsWith('#token='));
  const queries = useMemo(() => new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isLoggedOut(error) && setOut(true) }),
    defaultOptions: { queries: { retry: (count, error) => !(error instanceof ServerError && error.status !== 0) && count < 3, staleTime: 2_000 } },
  }), []);
  const enter = (): void => {
    queries.clear();
    setOut(false);
  };
  return (
    <LanguageProvider>
      <ThemeProvider>
        <QueryClientProvider client={queries}>
          {isOut ? <LoginPage onLogin={enter} /> : <Pages onLogout={() => setOut(true)} />}
        </QueryClientProvider>
      </ThemeProvider>
    </LanguageProvider>
  );
}

function Pages({ onLogout }: { readonly onLogout: () => void }): ReactNode {
  const me = useMe();
  const [location] = useLocation();
  if (!me.data) return me.isError ? <Problem error={me.error} /> : <Loading />;
  return (
    <Shell onLogout={onLogout}>
      <PageBoundary at={location}>
        <Suspense fallback={<Loading />}>
          <Switch>
            <Route path={CHAT}>{({ id }) => (id === undefined ? <PAGES.chat.Page /> : <PAGES.chat.Page sessionId={decodeURIComponent(id)} />)}</Route>
            <Route path="/skills"><PAGES.skills.Page /></Route>
            <Route path="/skills/:id">{({ id }) => <PAGES.skills.Page skillId={decodeURIComponent(id)} />}</Route>
            <Route path="/skills/:id/evaluations/:evaluation">{({ id, evaluation }) => <PAGES.skills.Page skillId={decodeURIComponent(id)} evaluationId={evaluation} />}</Route>
            <Route path="/sessions"><PAGES.sessions.Page /></Route>
            <Route path="/sessions/:id">{({ id }) => <PAGES.sessions.Page sessionId={id} />}</Route>
            <Route path="/usage"><PAGES.usage.Page /></Route>
            <Route path="/settings"><PAGES.settings.Page /></Route>
            <Route path="/settings/:section">{({ section }) => <PAGES.settings.Page section={section} />}</Route>
            <Route><Redirect to="/" /></Route>
          </Switch>
        </Suspense>
      </PageBoundary>
    </Shell>
  );
}
