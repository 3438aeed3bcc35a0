import { useState, type ReactNode } from 'react';
import type { ApiSkill, ApiSkillFile } from '../../../../src/api/skill-endpoints.ts';
import { visibleText } from '../../../../src/protocol/visible-text.ts';
import { useLanguage } from '../../i18n/language.tsx';
import { Badge } from '../../ui/badge.tsx';
import { bytesText } from '../../ui/bytes-text.ts';
import type { Folder } from '../use-folder.ts';
import { FileDialog } from './file-dialog.tsx';
import styles from './skill-view.module.css';

/** Most files that are listed at once: a skill may have 10,000. */
const MOST = 500;

/** The files of a skill, each to be looked at. */
export function SkillFiles({ skill: { id, files }, folder }: { readonly skill: Pick<ApiSkill, 'id' | 'files'>; readonly folder: Folder }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  const [shown, show] = useState<ApiSkillFile>();
  return (
    <section>
      <h2>{words.files} <Badge>{files.length}</Badge></h2>
      <ul className={styles.files}>
        {files.slice(0, MOST).map((file) => (
          <li key={file.path}>
            <button type="button" className={styles.file} onClick={() => show(file)}>{visibleText(file.path)}</button>
            {file.kind === 'other' ? null : <Badge>{words.kinds(file.kind)}</Badge>}
            <span className={styles.size}>{bytesText(file.size)}</span>
          </li>
        ))}
      </ul>
      {files.length > MOST ? <p className={styles.quiet}>{words.moreFiles(files.length - MOST)}</p> : null}
      {shown ? <FileDialog skillId={id} file={shown} folder={folder} onClose={() => show(undefined)} /> : null}
    </section>
  );
}
