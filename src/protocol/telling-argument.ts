import { isObject } from './json.ts';

type Input = Readonly<Record<string, unknown>>;

/** What says most about a call stands first. */
const TELLING = ['command', 'file_path', 'notebook_path', 'pattern', 'path', 'skill', 'question', 'url', 'query', 'plan', 'description'];

/** The most telling argument of a call, whole; all of them as JSON where none says more than the others. For a look in passing, never to decide on. */
export function tellingArgument(input: Input): string {
  return TELLING.map((key) => input[key]).find((value) => typeof value === 'string') ?? questionsOf(input) ?? JSON.stringify(input);
}

/** The questions that a call puts to the person. */
function questionsOf({ questions }: Input): string | undefined {
  const texts = (Array.isArray(questions) ? questions : []).map((one: unknown) => (isObject(one) ? one['question'] : undefined)).filter((text) => typeof text === 'string');
  return texts.length === 0 ? undefined : texts.join(' ');
}

/** The arguments of a call, what says most about it first. */
export function byWeight(input: Input): readonly (readonly [string, unknown])[] {
  return Object.entries(input).sort(([a], [b]) => rank(a) - rank(b));
}

function rank(key: string): number {
  const place = TELLING.indexOf(key);
  return place < 0 ? TELLING.length : place;
}
