/** What of a skill is searched. */
export interface IndexText {
  readonly name: string;
  readonly description: string;
  readonly whenToUse?: string | undefined;
  /** Words of the author or the model for this skill, such as `tags`, `keywords` or `triggers` of the frontmatter. */
  readonly tags?: readonly string[] | undefined;
  /** The instructions, or their beginning; only the head of it counts. */
  readonly body?: string | undefined;
}
