import { lazy, useState, type ComponentType, type ReactNode } from 'react';

/** A page whose code comes when it is needed. */
export interface LazyPage<P extends object> {
  readonly Page: (props: P) => ReactNode;
  /** Brings the code already; what fails is tried again, and told, when the page is shown. */
  readonly load: () => void;
}

/** A page that is shown at once where its code has come before: a suspended one would show for 300 ms that it is loading, however soon that is over. */
export function lazyPage<P extends object>(bring: () => Promise<ComponentType<P>>): LazyPage<P> {
  let brought: ComponentType<P> | undefined;
  const load = async (): Promise<{ readonly default: ComponentType<P> }> => {
    brought ??= await bring();
    return { default: brought };
  };
  const Lazy = lazy(load);
  return {
    Page: (props) => {
      const [Shown] = useState<ComponentType<P>>(() => brought ?? Lazy);
      return <Shown {...props} />;
    },
    load: () => void load().catch(reportError),
  };
}
