/** Tags and vectors that cost money, kept where other workers of the same person find them. What cannot be had is missing. */
export interface SharedWords {
  tags(digests: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>>;
  putTags(tags: ReadonlyMap<string, readonly string[]>): Promise<void>;
  vectors(model: string, digests: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  putVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
}
