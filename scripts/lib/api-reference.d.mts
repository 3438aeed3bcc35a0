/** The reference of the API as Markdown, made of its endpoints as they are. */
export function apiReference(): Promise<string>;
