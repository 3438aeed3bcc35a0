import type { ReactNode } from 'react';
import type { JsonObject } from '../../../../src/protocol/json.ts';
import { byWeight } from '../../../../src/protocol/telling-argument.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { changeOfInput } from '../transcript/change-of-input.ts';
import { DiffView } from '../transcript/view/diff-view.tsx';
import { LongText } from '../transcript/view/long-text.tsx';
import styles from './requests.module.css';

/** Arguments that a difference shows. */
const CHANGED = new Set(['old_string', 'new_string', 'content']);
const SHORT_CHARS = 120;

interface CallPreviewProps {
  readonly tool: string;
  readonly input: JsonObject;
  /** The card of the call stands above, with what it changes. */
  readonly isBelowCall: boolean;
  /** Why it is asked for, which stands above, too. */
  readonly reason: string;
}

/** Every argument of a call, to decide on: what says most first, and a change of a text as its difference. */
export function CallPreview({ tool, input, isBelowCall, reason }: CallPreviewProps): ReactNode {
  const { words: { chat: { request: words } } } = useLanguage();
  const rows = changeOfInput(tool, input);
  const isAbove = rows !== undefined && isBelowCall;
  // The head of the card above cuts a long path.
  const isNamed = (name: string, value: unknown): boolean => isAbove && name === 'file_path' && typeof value === 'string' && reason.includes(value);
  const rest = byWeight(input).filter(([name, value]) => !rows || !(CHANGED.has(name) || isNamed(name, value)));
  if (rest.length === 0 && (!rows || isAbove)) return null;
  return (
    <div className={styles.preview} role="group" aria-label={words.input}>
      {rest.map(([name, value]) => <Argument key={name} name={visibleText(name)} text={visibleText(textOf(value))} />)}
      {rows && !isAbove ? <DiffView label={words.input} rows={rows} /> : null}
    </div>
  );
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** A command is never cut: whoever allows it has it before them. */
function Argument({ name, text }: { readonly name: string; readonly text: string }): ReactNode {
  if (name === 'command') return <pre className={styles.command}>{text}</pre>;
  if (text.length <= SHORT_CHARS && !text.includes('\n')) return <p className={styles.argument}><span>{name}</span> <code>{text}</code></p>;
  return <><p className={styles.argument}><span>{name}</span></p><LongText label={name} text={text} /></>;
}
