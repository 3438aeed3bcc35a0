/** The engines that can be asked. */
export type EngineName = 'duckduckgo' | 'brave' | 'google' | 'bing' | 'searxng';

/** One thing that was found. */
export interface SearchHit {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}

/** A question to an engine; credentials stand in headers, where no message shows them. */
export interface EngineRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What an engine gave, or why it gave nothing: the end of a sentence that begins with its name. */
export type EngineAnswer = { readonly hits: readonly SearchHit[] } | { readonly problem: string };

/** What engines are asked with. */
export interface EngineKeys {
  readonly key: string;
  /** Of Google's programmable search. */
  readonly engineId: string;
  /** Of SearXNG. */
  readonly baseUrl: string;
}

/** One engine. */
export interface SearchEngine {
  /** For people. */
  readonly title: string;
  /** What has to be set, of `EngineKeys`. */
  readonly needs: readonly (keyof EngineKeys)[];
  request(query: string, count: number, keys: EngineKeys): EngineRequest;
  /** Its texts are HTML. */
  readonly isHtml?: true;
  /** Reads the body of an answer whose status is 2xx. */
  read(body: string): EngineAnswer;
  /** What a status means here, where it means something of its own. */
  readonly statuses?: Readonly<Record<number, string>>;
}
