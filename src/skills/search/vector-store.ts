/** Where vectors of texts are kept between runs. */
export interface VectorStore {
  /** The kept vectors of these digests by this model; those that are not kept are missing. */
  get(model: string, digests: readonly string[]): ReadonlyMap<string, Float32Array>;
  put(model: string, vectors: ReadonlyMap<string, Float32Array>): void;
}
