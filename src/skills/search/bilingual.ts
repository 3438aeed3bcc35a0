/** An English word for a Chinese one, with its weight in a question. */
export interface Gloss {
  readonly term: string;
  readonly weight: number;
}

/** A dictionary between Chinese and English. */
export interface Bilingual {
  /** English words for the Chinese in a text. Empty for a text without Chinese. */
  glosses(text: string): readonly Gloss[];
}
