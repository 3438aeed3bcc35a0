import type { Settings } from '../../config/settings.ts';
import type { LocalServers } from '../../egress/check-target.ts';
import type { PageCache } from '../../web/page-cache.ts';
import type { ModelParts } from '../turn/choose-model.ts';
import type { PermitParts } from '../permissions/permit.ts';

/** What the web is read with in a session. */
export interface WebParts {
  readonly parts: Omit<ModelParts, 'settings'>;
  readonly settings: Settings;
  readonly permit: Pick<PermitParts, 'state' | 'rules' | 'workspace' | 'restriction'>;
  /** Servers that commands of the session run. */
  readonly servers: LocalServers;
  readonly pages: PageCache;
}
