import { lazyPage } from './lazy-page.tsx';

/** The pages of the interface. */
export const PAGES = {
  chat: lazyPage(async () => (await import('../chat/chat-page.tsx')).ChatPage),
  skills: lazyPage(async () => (await import('../skills/skills-page.tsx')).SkillsPage),
  sessions: lazyPage(async () => (await import('../sessions/sessions-page.tsx')).SessionsPage),
  usage: lazyPage(async () => (await import('../usage/usage-page.tsx')).UsagePage),
  settings: lazyPage(async () => (await import('../settings/settings-page.tsx')).SettingsPage),
} as const;

/** The page that lies at an address of this site. */
export function pageAt(address: string): keyof typeof PAGES {
  const [, first] = address.split('/');
  return first === 'skills' || first === 'sessions' || first === 'usage' || first === 'settings' ? first : 'chat';
}
