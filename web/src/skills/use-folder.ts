import { useSearchParams } from 'wouter';
import type { SkillSummary } from '../../../src/protocol/skill.ts';
import { useMe } from '../app/server.ts';
import { inAddress } from '../ui/in-address.ts';

/** The folder whose skills are shown; it stands in the address where it is not the first one. */
export interface Folder {
  readonly roots: readonly string[];
  readonly path: string | undefined;
  /** As queries of the API take it. */
  readonly here: { readonly cwd?: string };
  /** What links to other places of the page end in. */
  readonly search: string;
  readonly choose: (path: string) => void;
}

/** The chosen one of the folders that the person may work in. */
export function useFolder(): Folder {
  const roots = useMe().data?.roots ?? [];
  const [params, setParams] = useSearchParams();
  const asked = params.get('folder');
  const path = roots.find((root) => root === asked) ?? roots[0];
  return {
    roots, path,
    here: path === undefined ? {} : { cwd: path },
    search: folderSearch(roots, path),
    choose: (chosen) => setParams(chosen === roots[0] ? {} : { folder: chosen.replaceAll('%', '%25') }),
  };
}

/** What an address ends in, so that the skills of the folder are shown that `path` is or lies in. */
export function folderSearch(roots: readonly string[], path: string | undefined): string {
  const root = roots.find((each) => path === each || path?.startsWith(`${each}/`));
  return root === undefined || root === roots[0] ? '' : `?folder=${inAddress(root)}`;
}

/** Where one skill is shown. */
export function skillAddress({ search }: Pick<Folder, 'search'>, id: string): string {
  return `/skills/${inAddress(id)}${search}`;
}

/** True for one that the person may change. */
export function isOwn({ source }: Pick<SkillSummary, 'source'>): boolean {
  return source === 'user' || source === 'project';
}
