import { memo, useMemo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { useLanguage } from '../../../i18n/language.tsx';
import { blocksOf, type Block } from '../../../../../src/protocol/markdown-blocks.ts';
import { CodeBlock } from './code-block.tsx';
import styles from './markdown.module.css';

const PLUGINS = [remarkGfm];
/** Where a link may lead; anything else stands as text. */
const OUTSIDE = /^(?:https?:\/\/|mailto:)/i;
const LANGUAGE = /language-(\S+)/;

/** A text of a stranger as markdown: HTML stands as text, links open outside, pictures are links, and nothing is loaded. */
export function Markdown({ text }: { readonly text: string }): ReactNode {
  const blocks = useMemo(() => blocksOf(text), [text]);
  return <div className={styles.blocks}>{blocks.map((block, place) => <MarkdownBlock key={`${place} ${block.kind}`} {...block} />)}</div>;
}

/** A block by itself; one that has not changed is not parsed again. */
export const MarkdownBlock = memo(function MarkdownBlock(block: Block): ReactNode {
  if (block.kind === 'code') return <CodeBlock language={block.language} text={block.text} />;
  return <div className={styles.markdown}><ReactMarkdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={(url) => url}>{block.text}</ReactMarkdown></div>;
});

const COMPONENTS: Components = {
  a: ({ href, children }) => <Outside address={href}>{children}</Outside>,
  img: ({ src, alt }) => <Picture address={src} text={alt} />,
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h4>{children}</h4>,
  h3: ({ children }) => <h5>{children}</h5>,
  h4: ({ children }) => <h6>{children}</h6>,
  h5: ({ children }) => <h6>{children}</h6>,
  input: ({ checked }) => <span aria-hidden="true">{checked ? '☑' : '☐'}</span>,
  pre: ({ children }) => <>{children}</>,
  code: ({ className, children }) => {
    const text = typeof children === 'string' ? children : '';
    const language = LANGUAGE.exec(className ?? '')?.[1];
    return language !== undefined || text.endsWith('\n') ? <CodeBlock language={language ?? ''} text={text.replace(/\n$/, '')} /> : <code>{children}</code>;
  },
  table: ({ children }) => <Table>{children}</Table>,
};

function Outside({ address, children }: { readonly address: string | undefined; readonly children: ReactNode }): ReactNode {
  if (address === undefined || !OUTSIDE.test(address)) return <span title={address}>{children}</span>;
  return <a href={address} title={address} target="_blank" rel="noreferrer noopener">{children}</a>;
}

function Picture({ address, text }: { readonly address: string | undefined; readonly text: string | undefined }): ReactNode {
  const { words } = useLanguage();
  return <Outside address={address}>{words.transcript.pictureLink(text === undefined || text === '' ? (address ?? '') : text)}</Outside>;
}

function Table({ children }: { readonly children: ReactNode }): ReactNode {
  const { words } = useLanguage();
  return <div className={styles.table} role="group" aria-label={words.transcript.table} tabIndex={0}><table>{children}</table></div>;
}
