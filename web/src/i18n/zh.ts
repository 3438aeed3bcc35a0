import { appZh } from './app-words.ts';
import { chatZh } from './chat-words.ts';
import type { Words } from './en.ts';
import { sessionsZh } from './sessions-words.ts';
import { settingsZh } from './settings-words.ts';
import { evaluationsZh } from './evaluation-words.ts';
import { skillsZh } from './skills-words.ts';
import { transcriptZh } from './transcript-words.ts';
import { usageZh } from './usage-words.ts';

/** Every text of the interface, in Chinese. */
export const zh: Words = { app: appZh, chat: chatZh, transcript: transcriptZh, skills: skillsZh, evaluations: evaluationsZh, sessions: sessionsZh, usage: usageZh, settings: settingsZh };
