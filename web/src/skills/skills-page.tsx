import { useState, type ReactNode } from 'react';
import { DropZone } from './install/drop-zone.tsx';
import { EvaluationView } from './evaluations/evaluation-view.tsx';
import { InstallDialog } from './install/install-dialog.tsx';
import { SkillList } from './list/skill-list.tsx';
import { SkillView } from './one/skill-view.tsx';
import { useFolder } from './use-folder.ts';

/** An install that was asked for, by its number among those of the page. */
interface Installs {
  readonly files: readonly File[];
  readonly number: number;
}

/** All skills of a folder, or one of them, or one of its evaluations; a file that is dropped anywhere is installed. */
export function SkillsPage({ skillId, evaluationId }: { readonly skillId?: string; readonly evaluationId?: string }): ReactNode {
  const folder = useFolder();
  const [installs, setInstalls] = useState<Installs>();
  const open = (files: readonly File[]): void => setInstalls((before) => ({ files, number: (before?.number ?? 0) + 1 }));
  // One that was opened meanwhile stays.
  const close = (): void => setInstalls((now) => (now === installs ? undefined : now));
  return (
    <>
      <DropZone onDrop={open} />
      {skillId === undefined ? <SkillList folder={folder} onInstall={() => open([])} /> : evaluationId === undefined ? <SkillView key={skillId} folder={folder} id={skillId} /> : <EvaluationView key={evaluationId} folder={folder} skillId={skillId} id={evaluationId} />}
      {installs ? <InstallDialog key={installs.number} folder={folder} files={installs.files} onClose={close} /> : null}
    </>
  );
}
