import type { ComponentProps, ReactNode } from 'react';
import styles from './button.module.css';

/** A button; `main` for what one came for, `danger` for what cannot be taken back. */
export function Button({ kind = 'usual', className, ...rest }: ComponentProps<'button'> & { readonly kind?: 'main' | 'usual' | 'plain' | 'danger' }): ReactNode {
  return <button type="button" {...rest} className={[styles.button, styles[kind], className].filter(Boolean).join(' ')} />;
}
