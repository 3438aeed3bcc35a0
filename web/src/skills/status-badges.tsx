import type { ReactNode } from 'react';
import type { ApiListedSkill } from '../../../src/api/skill-endpoints.ts';
import { useLanguage } from '../i18n/language.tsx';
import { Badge } from '../ui/badge.tsx';

const TONES = { loaded: 'ok', repaired: 'ok', hidden: 'quiet', shadowed: 'quiet', rejected: 'danger' } as const;

/** What a skill is and has become: whether it is about skills, its status, whether it is on, whether it is trusted. */
export function StatusBadges({ skill: { status, enabled, trusted, type } }: { readonly skill: Pick<ApiListedSkill, 'status' | 'enabled' | 'trusted' | 'type'> }): ReactNode {
  const { words: { skills: words } } = useLanguage();
  return (
    <>
      {type === 'meta' ? <Badge title={words.metaHelp}>{words.meta}</Badge> : null}
      {enabled ? <Badge tone={TONES[status]}>{words.statuses[status]}</Badge> : <Badge tone="warn">{words.statuses.off}</Badge>}
      {status === 'rejected' ? null : trusted ? <Badge tone="accent">{words.trusted}</Badge> : <Badge tone="warn">{words.statuses.untrusted}</Badge>}
    </>
  );
}
