import { useState, type ReactNode } from 'react';
import { Link } from 'wouter';
import { useMe } from '../app/server.ts';
import { useLanguage } from '../i18n/language.tsx';
import { Notice, Problem } from '../ui/notice.tsx';
import { AllSettings } from './all/all-settings.tsx';
import { Field } from './field.tsx';
import { Memory } from './memory/memory.tsx';
import { Models } from './models/models.tsx';
import { Permissions } from './permissions/permissions.tsx';
import { Sandbox } from './sandbox/sandbox.tsx';
import { Servers } from './servers/servers.tsx';
import styles from './settings.module.css';
import { FolderContext, useSettings } from './use-settings.ts';

const SECTIONS = { models: Models, permissions: Permissions, servers: Servers, memory: Memory, sandbox: Sandbox, all: AllSettings } as const;
type Section = keyof typeof SECTIONS;
const NAMES: readonly Section[] = ['models', 'permissions', 'servers', 'memory', 'sandbox', 'all'];

/** What can be set: each section at an address of its own. */
export function SettingsPage({ section }: { readonly section?: string }): ReactNode {
  const { words: { settings } } = useLanguage();
  const [folder, setFolder] = useState<string>();
  const name = NAMES.find((each) => each === section) ?? 'models';
  const Shown = SECTIONS[name];
  return (
    <FolderContext value={folder}>
      <div className={styles.page}>
        <h1 className={styles.title}>{settings.title}</h1>
        <nav aria-label={settings.title} className={styles.nav}>
          {NAMES.map((each) => <Link key={each} href={`/settings/${each}`} className={styles.place} aria-current={each === name ? 'page' : undefined}>{settings.sections[each]}</Link>)}
        </nav>
        <div className={styles.content}>
          <FolderPicker folder={folder} onPick={setFolder} />
          <Notices />
          <Shown key={folder} />
        </div>
      </div>
    </FolderContext>
  );
}

function FolderPicker({ folder, onPick }: { readonly folder: string | undefined; readonly onPick: (folder: string) => void }): ReactNode {
  const { words: { settings } } = useLanguage();
  const roots = useMe().data?.roots ?? [];
  if (roots.length < 2) return null;
  return (
    <Field label={settings.folder} help={settings.folderHelp}>
      {(ids) => <select {...ids} value={folder ?? roots[0]} onChange={({ target }) => onPick(target.value)}>{roots.map((root) => <option key={root}>{root}</option>)}</select>}
    </Field>
  );
}

/** What is wrong with the files, whatever the section. */
function Notices(): ReactNode {
  const { data, error } = useSettings();
  return (
    <>
      <Problem error={error} />
      {(data?.notices ?? []).map((notice) => <Notice key={notice} tone="warn">{notice}</Notice>)}
    </>
  );
}
