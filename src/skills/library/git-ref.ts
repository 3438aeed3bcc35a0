/** Whether a text can name a branch, a tag or a commit: the rules of `git check-ref-format`, and nothing that git reads otherwise. */
export function isGitRef(ref: string): boolean {
  return /^[^\s~^:?*[\\\0-\x1f\x7f]+$/.test(ref) && !/^[-/+]|\.\.|@\{|\/\/|[/.]$|(?:^|\/)\.|\.lock(?:\/|$)|^@$/.test(ref);
}
