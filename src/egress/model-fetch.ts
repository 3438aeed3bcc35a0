type Fetch = typeof globalThis.fetch;

/**
 * The `fetch` for model calls: the runtime's own, or one that goes through the proxy of `HTTPS_PROXY`, `HTTP_PROXY`
 * or `ALL_PROXY` (also in small letters), save for hosts in `NO_PROXY` and this machine. The proxy's code is loaded with the first call.
 */
export function createModelFetch(env: Readonly<Record<string, string | undefined>>): Fetch {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const all = read('ALL_PROXY');
  const httpProxy = read('HTTP_PROXY') ?? all;
  const httpsProxy = read('HTTPS_PROXY') ?? all ?? httpProxy;
  if (httpProxy === undefined && httpsProxy === undefined) return globalThis.fetch;
  const noProxy = ['localhost', '127.0.0.1', '::1', read('NO_PROXY') ?? ''].filter((host) => host !== '').join(',');
  let loaded: Promise<Fetch> | undefined;
  return async (input, init) => {
    loaded ??= proxiedFetch({ httpProxy: httpProxy ?? '', httpsProxy: httpsProxy ?? '', noProxy });
    return (await loaded)(input, init);
  };
}

/** An empty text keeps the agent from looking into the environment by itself. */
async function proxiedFetch(proxies: { readonly httpProxy: string; readonly httpsProxy: string; readonly noProxy: string }): Promise<Fetch> {
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent(proxies);
  // The runtime's `fetch` is undici's too, with types of another version: what models pass (a URL text, headers, a text body, a signal) is the same in both.
  const through = fetch as unknown as (input: Parameters<Fetch>[0], init: Omit<RequestInit, 'dispatcher'> & { readonly dispatcher: unknown }) => ReturnType<Fetch>;
  return (input, init) => through(input, { ...init, dispatcher });
}
