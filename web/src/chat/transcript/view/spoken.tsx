import type { ReactNode } from 'react';
import { useLanguage } from '../../../i18n/language.tsx';
import type { Block } from '../../../../../src/protocol/markdown-blocks.ts';
import type { SpokenItem } from '../../../../../src/protocol/transcript/transcript.ts';
import { Card } from './card.tsx';
import { Markdown, MarkdownBlock } from './markdown.tsx';
import styles from './spoken.module.css';

/** A block of what the model says; the last one grows while it is said. */
export function AnswerBlock({ block, isGrowing }: { readonly block: Block | undefined; readonly isGrowing: boolean }): ReactNode {
  return <div className={[styles.answer, isGrowing ? styles.growing : ''].join(' ')} aria-busy={isGrowing}>{block ? <MarkdownBlock {...block} /> : null}</div>;
}

/** What the model thinks, folded. */
export function Reasoning({ item }: { readonly item: SpokenItem }): ReactNode {
  const { words } = useLanguage();
  const head = <><span className={styles.thoughts}>{item.isWhole ? words.transcript.thoughts : words.transcript.thinking}</span><span className={styles.first}>{item.isWhole ? item.text : lastLine(item.text)}</span></>;
  return <Card id={item.key} head={head}>{() => <div className={styles.reasoning}><Markdown text={item.text} /></div>}</Card>;
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}
