import { appEn } from './app-words.ts';
import { chatEn } from './chat-words.ts';
import { sessionsEn } from './sessions-words.ts';
import { settingsEn } from './settings-words.ts';
import { evaluationsEn } from './evaluation-words.ts';
import { skillsEn } from './skills-words.ts';
import { transcriptEn } from './transcript-words.ts';
import { usageEn } from './usage-words.ts';

/** Every text of the interface, in English. */
export const en = { app: appEn, chat: chatEn, transcript: transcriptEn, skills: skillsEn, evaluations: evaluationsEn, sessions: sessionsEn, usage: usageEn, settings: settingsEn };

/** The texts that each language has to have. */
export type Words = typeof en;
