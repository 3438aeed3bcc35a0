import { httpFetch, type Fetch } from './http-fetch.ts';

/**
 * The `fetch` for model calls: the direct one, or one that goes through the proxy of `HTTPS_PROXY`, `HTTP_PROXY`
 * or `ALL_PROXY` (also in small letters), save for hosts in `NO_PROXY` and this machine. The proxy's code is loaded with the first call.
 */
export function createModelFetch(env: Readonly<Record<string, string | undefined>>): Fetch {
  const read = (name: string): string | undefined => env[name.toLowerCase()] || env[name] || undefined;
  const all = read('ALL_PROXY');
  const httpProxy = read('HTTP_PROXY') ?? all;
  const httpsProxy = read('HTTPS_PROXY') ?? all ?? httpProxy;
  if (httpProxy === undefined && httpsProxy === undefined) return httpFetch;
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
  return (url, init) => fetch(url, { ...init, dispatcher });
}
