/** A parsed source file; see source-module.mjs. */
export interface SourceModule {
  readonly file: string;
  readonly lines: number;
  readonly imports: readonly { readonly specifier: string; readonly line: number }[];
}

export declare function filesBelow(folder: string, endings?: readonly string[]): readonly string[];
export declare function parseSource(file: string, text: string): SourceModule;
export declare function parseFolder(folder: string): readonly SourceModule[];
