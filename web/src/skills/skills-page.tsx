import { useState, type ReactNode } from 'react';
import { DropZone } from './install/drop-zone.tsx';
import { InstallDialog } from './install/install-dialog.tsx';
import { SkillList } from './list/skill-list.tsx';
import { SkillView } from './one/skill-view.tsx';
import { useFolder } from './use-folder.ts';

/** An install that was asked for, by its number among those of the page. */
interface Installs {
  readonly files: readonly File[];
  readonly number: number;
}

/** All skills of a folder, or one of them; a file that is dropped anywhere is installed. */
export function SkillsPage({ skillId }: { readonly skillId?: string }): ReactNode {
  const folder = useFolder();
  const [installs, setInstalls] = useState<Installs>();
  const open = (files: readonly File[]): void => setInstalls((before) => ({ files, number: (before?.number ?? 0) + 1 }));
  // One that was opened meanwhile stays.
  const close = (): void => setInstalls((now) => (now === installs ? undefined : now));
  return (
    <>
      <DropZone onDrop={open} />
      {skillId === undefined ? <SkillList folder={folder} onInstall={() => open([])} /> : <SkillView key={skillId} folder={folder} id={skillId} />}
      {installs ? <InstallDialog key={installs.number} folder={folder} files={installs.files} onClose={close} /> : null}
    </>
  );
}
