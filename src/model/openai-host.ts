/** Whether a base URL is OpenAI's own; compatible servers refuse or ignore some of its fields. */
export function isOpenAi(baseUrl: string): boolean {
  return URL.canParse(baseUrl) && new URL(baseUrl).hostname === 'api.openai.com';
}

/** The credential as OpenAI and those compatible with it take it. */
export function bearer(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}
