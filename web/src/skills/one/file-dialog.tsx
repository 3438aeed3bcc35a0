import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ApiSkillFile } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useServer } from '../../app/server.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { bytesText } from '../../ui/bytes-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { Problem } from '../../ui/notice.tsx';
import type { Folder } from '../use-folder.ts';
import { readSome, SHOWN_BYTES } from './read-some.ts';
import forms from '../forms.module.css';

/** Shows a file as the text that it is, its beginning where it is large; everything else can be saved. */
export function FileDialog({ skillId, file: { path, size }, folder, onClose }: { readonly skillId: string; readonly file: ApiSkillFile; readonly folder: Folder; readonly onClose: () => void }): ReactNode {
  const { words: { skills: { file: words } } } = useLanguage();
  const server = useServer();
  const { data, error } = useQuery({
    queryKey: ['skills', folder.path, 'one', skillId, 'file', path],
    queryFn: async ({ signal }) => readSome(await server.readSkillFile({ id: skillId, rest: path, query: folder.here, signal })),
  });
  return (
    <Dialog title={visibleText(path)} onClose={onClose}>
      <div className={forms.row}>
        <span className={forms.quiet}>{bytesText(size)}</span>
        <a href={fileAddress(skillId, path, folder)} download={path.split('/').at(-1)}>{words.save}</a>
      </div>
      {data === undefined && !error ? <Loading /> : null}
      <Problem error={error} />
      {data?.kind === 'binary' ? <p className={forms.quiet}>{words.binary}</p> : null}
      {data?.kind === 'text' ? <pre className={forms.output} tabIndex={0} aria-label={visibleText(path)}>{visibleText(data.text)}</pre> : null}
      {data?.kind === 'text' && !data.isWhole ? <p className={forms.quiet}>{words.begins(bytesText(SHOWN_BYTES))}</p> : null}
    </Dialog>
  );
}

function fileAddress(id: string, path: string, { here }: Folder): string {
  const query = new URLSearchParams(here);
  return `/api/skills/${encodeURIComponent(id)}/files/${path.split('/').map(encodeURIComponent).join('/')}?${query.toString()}`;
}
