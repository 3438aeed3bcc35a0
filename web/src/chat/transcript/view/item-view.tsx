import { memo, type ReactNode } from 'react';
import type { Row } from '../rows.ts';
import { AgentCard } from './agent-card.tsx';
import { CallCard } from './call-card.tsx';
import { Note } from './note.tsx';
import { PersonMessage } from './person-message.tsx';
import { AnswerBlock, Reasoning } from './spoken.tsx';
import styles from './item-view.module.css';

/** A row and what belongs to it. */
export interface ItemViewProps {
  readonly row: Row;
  /** What the person is asked about it. */
  readonly request: ReactNode;
}

/** One row; one that has not changed is not rendered again. */
export const ItemView = memo(function ItemView(props: ItemViewProps): ReactNode {
  const { item, key, isLast } = props.row;
  return <div className={[styles.item, isLast ? styles.last : ''].join(' ')} data-kind={item.kind} data-key={item.key} data-row={key}><Shown {...props} /></div>;
});

function Shown({ row, request }: ItemViewProps): ReactNode {
  const { item } = row;
  switch (item.kind) {
    case 'person': return <PersonMessage item={item} />;
    case 'text': return <AnswerBlock block={row.block} isGrowing={row.isLast && !item.isWhole} />;
    case 'reasoning': return <Reasoning item={item} />;
    case 'call': return item.agent ? <AgentCard id={item.key} agent={item.agent} request={request} /> : <CallCard item={item} request={request} />;
    case 'agent': return <AgentCard id={item.key} agent={item.agent} request={request} />;
    case 'note': return <Note item={item} />;
  }
}
