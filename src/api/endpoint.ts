import type { Schema, TypeOf } from './schema.ts';

/** Methods of the API. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One thing that can be asked of a server, as data: the server checks with it, the document is made of it, clients are typed by it.
 * Paths name their parts as `:id`; a last `*` is the rest of the path.
 */
export interface Endpoint<P extends string, Q, B, A> {
  readonly method: Method;
  readonly path: P;
  /** One line for the document. */
  readonly summary: string;
  /** Values of a query are texts. */
  readonly query: Schema<Q>;
  /** Of a JSON body, which may be left out where `{}` fits. */
  readonly body: Schema<B>;
  /** Takes a body of this media type, too, and not more than so many bytes. */
  readonly bytes?: { readonly type: string; readonly most: number };
  /** For bodies of JSON, in bytes; 1 MiB when left out. */
  readonly most?: number;
  /** Of the answer, 200 when left out. */
  readonly status?: 200 | 201 | 202;
  readonly answer: Schema<A>;
  /** What the answer is where it is not JSON; `answer` is of a `Response` then. */
  readonly answerType?: string;
  /** Only for administrators. */
  readonly admin?: true;
}

/** An endpoint of whatever types. */
export type AnyEndpoint = Endpoint<string, unknown, unknown, unknown>;

/** Names of the parts of a path. */
export type PartsOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}` ? Name | PartsOf<`/${Rest}`> : P extends `${string}:${infer Name}` ? Name : never;

/** Type of an endpoint's query. */
export type QueryOf<E extends AnyEndpoint> = TypeOf<E['query']>;
/** Type of its body. */
export type BodyOf<E extends AnyEndpoint> = TypeOf<E['body']>;
/** Type of its answer. */
export type AnswerOf<E extends AnyEndpoint> = TypeOf<E['answer']>;

/** Nothing is taken. */
export const NONE: Schema<Readonly<Record<string, never>>> = { json: { type: 'object', properties: {}, additionalProperties: false } };

/** Writes an endpoint down. */
export function endpoint<const P extends string, Q, B, A>(given: Endpoint<P, Q, B, A>): Endpoint<P, Q, B, A> {
  return given;
}
