import { useMutation, useQuery, useQueryClient, type UseMutationResult, type UseQueryResult } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import { API } from '../../../src/api/api.ts';
import type { AnswerOf } from '../../../src/api/endpoint.ts';
import type { ApiKnownSetting, ApiSetting } from '../../../src/api/settings-endpoints.ts';
import type { Json } from '../../../src/protocol/json.ts';
import { useMe, useServer } from '../app/server.ts';

/** The folder whose settings are looked at; undefined for the first one of the server. */
export const FolderContext = createContext<string | undefined>(undefined);

/** The folder as a query of the API has it. */
export function useFolder(): { readonly cwd?: string } {
  const cwd = useContext(FolderContext);
  return cwd === undefined ? {} : { cwd };
}

/** All settings that hold. */
export function useSettings(): UseQueryResult<AnswerOf<(typeof API)['listSettings']>> {
  const server = useServer();
  const query = useFolder();
  return useQuery({ queryKey: ['settings', query.cwd], queryFn: ({ signal }) => server.listSettings({ query, signal }) });
}

/** One setting that holds; undefined where it has no value, or is not known yet. */
export function useSetting(key: string): ApiSetting | undefined {
  return useSettings().data?.settings.find((setting) => setting.key === key);
}

/** A change of one setting; without a value it is taken out. */
export interface Change {
  readonly key: string;
  readonly value?: Json;
}

/** Writes settings, one after the other; everything that depends on settings is asked for anew. */
export function useChange(): UseMutationResult<unknown, unknown, readonly Change[]> {
  const server = useServer();
  const query = useFolder();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: async (changes) => {
      for (const body of changes) await server.changeSetting({ query, body });
    },
    onSettled: () => Promise.all(['settings', 'models', 'servers', 'sandbox'].map((name) => queries.invalidateQueries({ queryKey: [name] }))),
  });
}

/** Whether the person may change a setting. */
export function useMayChange(key: string): boolean {
  const may = useMay();
  const { data } = useSettings();
  return may('changeSetting') && knownAs(key, data?.known ?? [])?.fixed !== true;
}

/** What is known of a setting itself, or of the one with free names that it stands in. */
export function knownAs(key: string, known: readonly ApiKnownSetting[]): ApiKnownSetting | undefined {
  return known.filter((one) => key === one.key || key.startsWith(`${one.key}.`)).toSorted((a, b) => b.key.length - a.key.length)[0];
}

/** Whether the person may ask the server for something at all. */
export function useMay(): (name: keyof typeof API) => boolean {
  const role = useMe().data?.role;
  return (name) => {
    const { admin }: { readonly admin?: true } = API[name];
    return admin !== true || role === 'admin';
  };
}
