import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../../app/server.ts';

const MOST_SHOWN = 8;

/** A skill that could be called. */
export interface SlashChoice {
  readonly name: string;
  readonly description: string;
}

/** What fits behind the `/` that a message begins with. */
export interface Slash {
  /** Empty where there is nothing to complete. */
  readonly choices: readonly SlashChoice[];
  readonly at: number;
  readonly move: (by: number) => void;
  readonly close: () => void;
  /** The text with the choice, the one that is marked unless told. */
  readonly completed: (choice?: SlashChoice) => string;
}

/** Completes the name of a skill at the beginning of a message, over the skills of the folder that may be called. */
export function useSlash(text: string, cwd: string | undefined): Slash {
  const server = useServer();
  const [marked, setMarked] = useState({ token: '', at: 0, isClosed: false });
  const token = /^\/(\S*)$/.exec(text)?.[1];
  const skills = useQuery({ queryKey: ['skills', cwd], queryFn: ({ signal }) => server.listSkills({ ...(cwd === undefined ? {} : { query: { cwd } }), signal }), enabled: token !== undefined, staleTime: 10_000 });
  const own = marked.token === token ? marked : { token: token ?? '', at: 0, isClosed: false };
  const choices = token === undefined || own.isClosed ? [] : fitting(skills.data?.skills ?? [], token);
  const at = Math.min(own.at, Math.max(choices.length - 1, 0));
  return {
    choices,
    at,
    move: (by) => setMarked({ ...own, at: (at + by + choices.length) % Math.max(choices.length, 1) }),
    close: () => setMarked({ ...own, isClosed: true }),
    completed: (choice = choices[at]) => (choice ? `/${choice.name} ` : text),
  };
}

type Listed = SlashChoice & { readonly enabled: boolean; readonly status: string };

/** Those whose name begins so come before those that have it within. */
function fitting(skills: readonly Listed[], token: string): readonly SlashChoice[] {
  const wanted = token.toLowerCase();
  const usable = skills.filter(({ enabled, status }) => enabled && (status === 'loaded' || status === 'repaired'));
  const begins = usable.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const within = usable.filter(({ name }) => !begins.some((skill) => skill.name === name) && name.toLowerCase().includes(wanted));
  return [...begins, ...within].slice(0, MOST_SHOWN);
}
