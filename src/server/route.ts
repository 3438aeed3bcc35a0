import type { AnyEndpoint, Endpoint, PartsOf } from '../api/endpoint.ts';
import type { ValueCheck } from './check-value.ts';
import type { Tenant } from './tenant.ts';

/** A request whose parts were checked. */
export interface ApiRequest<P extends string, Q, B> {
  readonly tenant: Tenant;
  /** The named parts of the path. */
  readonly params: Readonly<Record<PartsOf<P>, string>>;
  readonly query: Q;
  readonly body: B;
  /** The request itself, for headers and for bodies that are no JSON. */
  readonly raw: Request;
  /** Aborts when the server ends or the client is gone. */
  readonly signal: AbortSignal;
  /** Whether the request would be let in now. */
  readonly isLetIn: () => boolean;
}

/** What a request brings before it was checked. */
export interface RawParts {
  readonly tenant: Tenant;
  readonly params: Readonly<Record<string, string>>;
  readonly query: unknown;
  readonly body: unknown;
  readonly raw: Request;
  readonly signal: AbortSignal;
  readonly isLetIn: () => boolean;
  readonly check: ValueCheck['check'];
}

/** An endpoint and what answers it. */
export interface Route {
  readonly endpoint: AnyEndpoint;
  /** The answer, or the whole response. @throws SkillmintError invalid_argument where a part does not fit, and what the handler throws */
  readonly run: (parts: RawParts) => Promise<unknown>;
}

/** Makes a route: `handle` is given what fits the endpoint, and gives what the endpoint says, or a response of its own. */
export function route<P extends string, Q, B, A>(endpoint: Endpoint<P, Q, B, A>, handle: (request: ApiRequest<P, Q, B>) => Promise<NoInfer<A> | Response>): Route {
  return {
    endpoint,
    run: async ({ check, params, query, body, ...rest }) => {
      if (!isNamed(endpoint.path, params)) throw new Error(`the parts of ${endpoint.path} are not there`);
      return handle({ ...rest, params, query: check(endpoint.query, query, 'query'), body: check(endpoint.body, body, 'body') });
    },
  };
}

function isNamed<P extends string>(path: P, params: Readonly<Record<string, string>>): params is Readonly<Record<PartsOf<P>, string>> {
  return [...path.matchAll(/:(\w+)/g)].every(([, name]) => params[name ?? ''] !== undefined);
}
