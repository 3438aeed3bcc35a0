import type { Credential } from './login/login-door.ts';

/** What a request brings beside itself, and what was found out on its way. */
export interface AppEnv {
  readonly Bindings: { readonly address: string };
  readonly Variables: { credential: Credential | undefined };
}
