import type { OpenRequest } from '../../protocol/session-state.ts';
import type { AnswerRequest, RunningTurn, Runtime, TurnResult } from '../../runtime/runtime.ts';

/** A person's answer to a request. */
export type Answer = AnswerRequest['answer'];

/** One of several things to choose from. */
export interface Choosable {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
}

/** What the status of a conversation is read from. */
export interface Whereabouts {
  readonly runtime: Pick<Runtime, 'sessions' | 'settings' | 'skills'>;
  /** Undefined before the first message of a new session. */
  readonly sessionId: string | undefined;
  readonly cwd: string;
  /** Of the next new session, as far as the person has chosen. */
  readonly model: string | undefined;
  readonly mode: string | undefined;
  /** The sandbox in words. */
  readonly sandbox: string;
  /** Changes the permission mode, as `/mode` does. */
  readonly change: (mode: string) => Promise<unknown>;
}

/** How long work is told to end, and tells how far it is. */
export interface Work {
  readonly signal: AbortSignal;
  readonly progress: (line: string) => void;
}

/** What a person sees of a conversation and answers with: a screen with an editor, or plain lines. Texts are safe to print already. */
export interface Face {
  /** A question may come while a message is being written. */
  readonly asksAnytime: boolean;
  /** The next message; undefined at the end of the input. */
  read(): Promise<string | undefined>;
  /** Shows a turn to its end. What is typed meanwhile is sent to it; commands, and what comes too late, are kept for `read`. */
  show(turn: RunningTurn): Promise<TurnResult>;
  /** Shows work that takes its time, by a word for it and the latest line that it tells, to its end; the keys that stop a turn abort its signal. What is typed meanwhile is kept for `read`. */
  work<T>(what: string, run: (work: Work) => Promise<T>): Promise<T>;
  /** Asks what a session waits for. Undefined when the person would rather answer later. */
  ask(open: OpenRequest): Promise<Answer | undefined>;
  /** A clear yes or no. Rejects with `interrupted` where the person wants neither. */
  confirm(question: string): Promise<boolean>;
  /** The value of what the person chooses; undefined where they choose nothing, or where the face can only list: then it has. */
  pick(title: string, from: readonly Choosable[]): Promise<string | undefined>;
  /** A quiet line of the program itself. */
  notice(text: string): Promise<void>;
  /** Lines, as they stand. */
  print(text: string): Promise<void>;
  /** An error in a sentence; the conversation goes on. */
  report(error: unknown): Promise<void>;
  /** Offers a text to be changed and sent; nothing where the face cannot, or where something is being written. */
  suggest(text: string): void;
  /** Begins: says how commands will run. */
  greet(sandbox: string): Promise<void>;
  /** Which session goes on from here, and how. */
  enter(where: Whereabouts): Promise<void>;
  /** Ends the input: what waits for it is told so. */
  end(): void;
  /** Gives the terminal back. */
  close(): Promise<void>;
}
