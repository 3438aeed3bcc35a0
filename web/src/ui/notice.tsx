import type { ReactNode } from 'react';
import { messageOf } from '../../../src/protocol/errors.ts';
import styles from './notice.module.css';

/** A sentence that should be seen: what went wrong, or what to know. */
export function Notice({ tone, children }: { readonly tone: 'danger' | 'warn' | 'ok'; readonly children: ReactNode }): ReactNode {
  return <div role={tone === 'ok' ? 'status' : 'alert'} className={[styles.notice, styles[tone]].join(' ')}>{children}</div>;
}

/** What has failed, in the words of the server; nothing where nothing has. */
export function Problem({ error }: { readonly error: unknown }): ReactNode {
  return error === undefined || error === null ? null : <Notice tone="danger">{messageOf(error)}</Notice>;
}
