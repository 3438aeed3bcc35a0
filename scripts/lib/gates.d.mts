import type { SourceModule } from './source-module.mjs';

/** One gate with who breaks it. */
export interface Gate {
  readonly name: string;
  readonly figure: string;
  readonly limit: string;
  readonly ok: boolean;
  readonly offenders: readonly { readonly file: string; readonly line: number; readonly what: string }[];
}

export declare function measure(source: readonly SourceModule[], others?: readonly SourceModule[]): readonly Gate[];
