import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { API } from '../../../../src/api/api.ts';
import type { AnswerOf } from '../../../../src/api/endpoint.ts';
import { createClient } from '../../../../src/client/create-client.ts';
import { useAbort } from '../../ui/use-abort.ts';
import type { Scope } from '../scope-choice.tsx';
import type { Folder } from '../use-folder.ts';
import { uploadFetch } from './upload-fetch.ts';

/** What is to be installed, and how. */
export interface Install {
  readonly from: File | string;
  readonly scope: Scope;
  readonly replace: boolean;
}

/** An install that can be followed and given up. */
export interface Installing {
  readonly install: UseMutationResult<AnswerOf<(typeof API)['installSkill']>, Error, Install>;
  /** Share of the file that was sent; undefined where nothing is sent. */
  readonly sent: number | undefined;
}

/** Installs skills. It is given up when the page goes. */
export function useInstall(folder: Folder): Installing {
  const [sent, setSent] = useState<number>();
  const server = useMemo(() => createClient({ fetch: uploadFetch(setSent) }), []);
  const queries = useQueryClient();
  const { begin } = useAbort();
  const install = useMutation({
    mutationFn: ({ from, scope, replace }: Install) => {
      setSent(from instanceof File ? 0 : undefined);
      const query = { ...folder.here, scope, replace: replace ? 'true' : 'false' } as const;
      const signal = begin();
      return from instanceof File
        ? server.installSkill({ body: from, query: { ...query, name: from.name.slice(-200) }, headers: { 'content-type': 'application/zip' }, signal })
        : server.installSkill({ body: new Blob([JSON.stringify({ source: from })]), query, headers: { 'content-type': 'application/json' }, signal });
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['skills'] }),
  });
  return { install, sent };
}
