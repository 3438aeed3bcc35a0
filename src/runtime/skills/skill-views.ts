import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { LoadedSettings } from '../../config/load-settings.ts';
import type { Fetch } from '../../egress/http-fetch.ts';
import type { HostFiles } from '../../host/host.ts';
import { messageOf } from '../../protocol/errors.ts';
import type { Visibility } from '../../skills/discover/catalogue.ts';
import type { OpenViewOptions } from '../../skills/index/open-view.ts';
import { SkillIndex, type IndexingState } from '../../skills/index/skill-index.ts';
import type { SharedWords } from '../../skills/search/shared-words.ts';
import type { SkillView } from '../../skills/skill-view.ts';
import { VERSION } from '../../version.ts';
import { searchHelps } from './search-helps.ts';
import type { BackgroundTags } from '../tags/tag-in-background.ts';
import { indexFile, viewSources, type FindOptions, type LibraryParts } from './find-skills.ts';

/** How long roots that are new or have changed may be searched before a turn begins, ms. */
const BUDGET_MS = 200;
/** How long a process that ends goes on with skills that are being indexed for the first time, ms. */
const FINISH_MS = 1_000;
/** The request of a turn has left by then, ms after it was made. */
const LEFT_MS = 50;
/** Skills that were looked for lately, which get their tags first. */
const MOST_RECENT = 200;

/** What views of skills are made with. */
export interface SkillViewsOptions extends Omit<LibraryParts, 'settings'> {
  readonly files: Pick<HostFiles, 'write' | 'remove'>;
  readonly fetch: Fetch;
  /** Tags and vectors that workers share. */
  readonly words?: SharedWords | undefined;
  /** Nothing is written to the data folder. */
  readonly ephemeral: boolean;
  /** The process stays, as one with a terminal does. */
  readonly stays: boolean;
  /** Is told how far skills that are read for the first time have come. */
  readonly onProgress?: ((progress: IndexingState) => void) | undefined;
}

/** The skills of a folder for a turn. */
export interface TurnSkills {
  readonly view: SkillView;
  /** To be called when the turn has made its first request: goes on with indexing, and then with tags. */
  readonly requested: (turn: RequestedTurn) => void;
}

/** A turn that has made its first request. */
export type RequestedTurn = Pick<BackgroundTags, 'smallModel' | 'tell'>;

/** The views of skills of one runtime. The index is opened with the first of them. */
export interface SkillViews {
  /** `addDirs` are further folders of the session. */
  open(cwd: string, settings: LoadedSettings, addDirs?: readonly string[]): Promise<TurnSkills>;
  /** Looks at all skills of a folder anew. Resolves to the view of what is there. */
  refresh(cwd: string, settings: LoadedSettings): Promise<SkillView>;
  /** Files were changed, by their paths in the data folder: the next view has them as they are. */
  changed(files: readonly string[]): void;
  /** How listings keep what they have read. */
  readonly listing: FindOptions;
  close(): Promise<void>;
}

/** Makes the views of a runtime. */
export function skillViews(options: SkillViewsOptions): SkillViews {
  const { tree, files, now, dataFolder, ephemeral } = options;
  const waiting = new Map<NodeJS.Timeout, () => void>();
  const recent = new Set<string>();
  /** Folders in which files were changed since the index was last asked for. */
  const changed = new Set<string>();
  let tagging: Promise<void> | undefined;
  let cannotTag = false;
  let index: SkillIndex | undefined;
  let helps: ReturnType<typeof searchHelps> | undefined;
  const opened = (): SkillIndex => {
    index ??= new SkillIndex({ tree, now, file: indexFile(dataFolder), ephemeral, stays: options.stays, onProgress: options.onProgress, program: VERSION, worker: `${process.pid} ${randomBytes(6).toString('hex')}` });
    index.noteChanged([...changed]);
    changed.clear();
    return index;
  };
  const sourcesOf = async (cwd: string, settings: LoadedSettings, addDirs: readonly string[] = []): Promise<OpenViewOptions & Visibility> => {
    helps ??= searchHelps({ index: opened(), ...options });
    return { ...(await viewSources(cwd, { ...options, settings, addDirs })), ...helps(settings.values), budgetMs: BUDGET_MS };
  };
  return {
    changed(paths) {
      const base = tree.realPath(dataFolder);
      for (const file of paths) for (let folder = path.dirname(file); folder !== '.'; folder = path.dirname(folder)) changed.add(path.join(base, folder));
    },
    listing: ephemeral ? {} : { files },
    async open(cwd, settings, addDirs) {
      const own = opened();
      const sources = await sourcesOf(cwd, settings, addDirs);
      const { view, roots } = await own.openView(sources);
      let wantsTags = settings.values.skills.generateTags && own.lasts && !cannotTag;
      const tag = (turn: RequestedTurn): void => {
        // Once in a turn, whose sub-agents make first requests of their own.
        if (!wantsTags || tagging) return;
        wantsTags = false;
        tagging = import('../tags/tag-in-background.ts')
          .then(({ tagInBackground }) => tagInBackground({ ...turn, index: own, roots, visibility: sources, shared: options.words, first: [...recent].reverse() }))
          .catch((error: unknown) => {
            // It would be the same with the next turn.
            cannotTag = true;
            own.addNotice(`Search tags for skills (skills.generateTags) could not be written: ${messageOf(error)}`);
          })
          .finally(() => (tagging = undefined));
      };
      return {
        view: wantsTags ? remembering(view, recent) : view,
        requested: (turn) => {
          const begin = (): void => own.background(roots);
          const timer = setTimeout(() => {
            waiting.delete(timer);
            begin();
            tag(turn);
          }, LEFT_MS);
          waiting.set(timer, begin);
        },
      };
    },
    async refresh(cwd, settings) {
      const own = opened();
      const sources = await sourcesOf(cwd, settings);
      await own.refresh((await own.openView(sources)).roots);
      return (await own.openView(sources)).view;
    },
    async close() {
      for (const [timer, begin] of waiting) {
        clearTimeout(timer);
        begin();
      }
      await index?.close({ finishMs: FINISH_MS });
      await tagging;
    },
  };
}

/** The same view; the skills that are found in it are put into `recent`, the latest and best ones last. */
function remembering(view: SkillView, recent: Set<string>): SkillView {
  return {
    ...view,
    rank: async (text, k) => {
      const ranked = await view.rank(text, k);
      for (const { entry: { path } } of [...ranked].reverse()) {
        recent.delete(path);
        recent.add(path);
      }
      for (const path of [...recent].slice(0, -MOST_RECENT)) recent.delete(path);
      return ranked;
    },
  };
}
