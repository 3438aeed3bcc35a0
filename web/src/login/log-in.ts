/** What a person logs in with. */
export type LoginWords = { readonly token: string } | { readonly name: string; readonly password: string };

/** What the server lets people in by. */
export type LoginKind = 'token' | 'password' | 'proxy';

/** Asks the server what it lets people in by. @throws Error in its words */
export async function askLoginKind(signal: AbortSignal): Promise<LoginKind> {
  const answer = await fetch('/api/login', { signal });
  const said: { readonly kind?: LoginKind; readonly error?: string } = await answer.json();
  if (answer.ok && said.kind !== undefined) return said.kind;
  throw new Error(said.error ?? `The server answered with ${answer.status}.`);
}

/** Logs in. @throws Error in the words of the server */
export function logIn(words: LoginWords): Promise<void> {
  return post('/api/login', words);
}

/** Logs out. @throws Error in the words of the server */
export function logOut(): Promise<void> {
  return post('/api/logout', {});
}

async function post(path: string, body: object): Promise<void> {
  const answer = await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
  if (answer.ok) return;
  const said: { readonly error?: string } = await answer.json().catch(() => ({}));
  throw new Error(said.error ?? `The server answered with ${answer.status}.`);
}
