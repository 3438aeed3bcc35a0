/** A node of a parsed source file; `start` and `end` are offsets in its text. */
export interface SourceNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly name?: unknown;
  readonly callee?: SourceNode;
  readonly tag?: SourceNode;
  readonly object?: SourceNode;
  readonly property?: SourceNode;
  readonly arguments?: readonly SourceNode[];
}

/** A parsed source file; see source-module.mjs. */
export interface SourceModule {
  readonly file: string;
  readonly text: string;
  readonly lines: number;
  readonly nodes: readonly { readonly node: SourceNode }[];
  readonly imports: readonly { readonly specifier: string; readonly line: number }[];
}

export declare function filesBelow(folder: string, endings?: readonly string[]): readonly string[];
export declare function parseSource(file: string, text: string): SourceModule;
export declare function parseFolder(folder: string): readonly SourceModule[];
