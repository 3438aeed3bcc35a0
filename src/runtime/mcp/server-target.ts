import type { ListedServer } from './server-list.ts';

/** The program or the address of a server, as one line; values of variables and headers are never shown. */
export function targetOf({ form }: Pick<ListedServer, 'form'>): string {
  return form.url ?? [form.command ?? '', ...(form.args ?? [])].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' ');
}

/** How one speaks with a server. */
export function transportOf({ form }: Pick<ListedServer, 'form'>): 'stdio' | 'http' | 'sse' {
  if (form.url === undefined) return 'stdio';
  return form.type === 'sse' ? 'sse' : 'http';
}
