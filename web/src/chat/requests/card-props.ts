import type { AskedRequest } from './asked-request.ts';
import type { Answer } from './use-answer.ts';

/** What each kind of card is given. */
export interface CardProps {
  readonly request: AskedRequest;
  readonly onAnswer: (answer: Answer) => void;
  /** An answer is on its way, or has arrived. */
  readonly isAnswered: boolean;
}
