import { findProblem } from '../../config/check-settings.ts';
import { SkillmintError } from '../../protocol/errors.ts';
import { isObject } from '../../protocol/json.ts';
import { PERMISSION_MODES } from '../../protocol/permission.ts';
import type { SessionQuery, SessionStatus } from '../../sessions/store.ts';
import { createRuntime as openRuntime } from '../create-runtime.ts';
import type { RuntimeOptions } from '../parts.ts';
import type { AnswerRequest, PromptRequest, ResumeRequest, Runtime } from '../runtime.ts';
import { checkFields, FLAG, FUNCTION, listOf, mapOf, OBJECT, oneOf, TEXT, TEXTS, type Shape } from './check-fields.ts';
import { checkAnswer } from './request-handler.ts';

const ANYTHING: Shape = { is: () => true, says: '' };
const WHOLE_NUMBER: Shape = { is: (value) => typeof value === 'number' && Number.isInteger(value) && value > 0, says: 'has to be a whole number from 1' };
const AMOUNT: Shape = { is: (value) => typeof value === 'number' && value >= 0, says: 'has to be a number, at least 0' };
const MODEL: Shape = { is: (value) => isObject(value) && typeof value['stream'] === 'function', says: 'has to be an object with a function "stream"; a model of the settings is named with settings.model, or with each prompt' };
const DATABASE: Shape = { is: (value) => isObject(value) && (typeof value['url'] === 'string' || 'shared' in value), says: 'has to be an object with a "url"' };
const SESSIONS: Shape = { is: (value) => isObject(value) && isObject(value['store']), says: 'has to be an object with a "store"' };
const SKILLS = listOf(OBJECT, 'skills: { name, description, instructions }');

const OPTIONS: Readonly<Record<keyof RuntimeOptions, Shape>> = {
  env: OBJECT, home: TEXT, dataFolder: TEXT, settings: OBJECT, terminal: FLAG, ephemeral: FLAG, trial: ANYTHING, turnPlace: FUNCTION, service: FLAG, tenant: OBJECT,
  database: DATABASE, sessions: SESSIONS, log: FUNCTION, host: OBJECT, fetch: FUNCTION, onSkillIndexing: FUNCTION, model: MODEL,
  tools: listOf(OBJECT, 'tools: { name, description, inputSchema, call }'), skills: SKILLS, skillSources: listOf(FUNCTION, 'functions'), skillFields: mapOf(FUNCTION, 'functions, one for each field'),
  answers: FUNCTION, observe: FUNCTION,
};

const COMMON = { model: TEXT, mode: oneOf(PERMISSION_MODES) } as const;
const RESUME: Readonly<Record<keyof ResumeRequest, Shape>> = { sessionId: TEXT, ...COMMON };
const PROMPT: Readonly<Record<keyof PromptRequest, Shape>> = {
  ...COMMON, text: TEXT, key: TEXT, attachments: listOf(OBJECT, 'parts of a message'), sessionId: TEXT, cwd: TEXT, skill: TEXT, addDirs: TEXTS, tools: oneOf(['all', 'none']),
  skills: oneOf(['offer', 'find', 'none']), effort: oneOf(['low', 'medium', 'high', 'xhigh', 'max']), maxSteps: WHOLE_NUMBER, maxCostUsd: AMOUNT, outputSchema: OBJECT, allow: TEXTS, deny: TEXTS,
  sandbox: oneOf(['required', 'ask', 'off']),
};
const NUMBER_FROM_0: Shape = { is: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0, says: 'has to be a whole number, at least 0' };
const STATUSES: Readonly<Record<SessionStatus, true>> = { idle: true, running: true, interrupted: true, done: true, failed: true, cancelled: true, limit: true, waiting: true };
const LIST: Readonly<Record<keyof SessionQuery, Shape>> = {
  status: oneOf(Object.keys(STATUSES)), text: TEXT, agents: FLAG, task: TEXT, cwd: TEXT, limit: WHOLE_NUMBER, offset: NUMBER_FROM_0,
};
const ANSWER: Readonly<Record<keyof AnswerRequest, Shape>> = { sessionId: TEXT, requestId: TEXT, answer: OBJECT };

/**
 * Opens a runtime: settings, store, models, skills and tools behind one interface. What the program gives is checked first, for
 * programs without types too.
 * @throws SkillmintError invalid_argument for options that cannot be, store_unavailable, store_corrupt, store_full
 */
export async function createRuntime(options: RuntimeOptions = {}): Promise<Runtime> {
  checkFields('createRuntime', options, OPTIONS);
  const problem = options.settings && findProblem(options.settings);
  if (problem) throw new SkillmintError('invalid_argument', `The option settings of createRuntime cannot be used: ${problem.says}.`);
  return checked(await openRuntime(options));
}

/** The same runtime; requests are checked, and none is taken once it is closed. */
function checked(runtime: Runtime): Runtime {
  let closing: Promise<void> | undefined;
  const check = (of: string, request: unknown, shapes: Readonly<Record<string, Shape>>, needed?: string): void => {
    if (closing) throw new SkillmintError('invalid_argument', 'This runtime is closed. Make another one with createRuntime.');
    checkFields(of, request, shapes);
    if (needed !== undefined && isObject(request) && request[needed] === undefined) throw new SkillmintError('invalid_argument', `${of} needs ${JSON.stringify(needed)}.`);
  };
  return {
    ...runtime,
    async prompt(request) {
      check('prompt', request, PROMPT, 'text');
      return runtime.prompt(request);
    },
    async answer(request) {
      check('answer', request, ANSWER, 'sessionId');
      checkAnswer(request.answer);
      return runtime.answer(request);
    },
    async resume(request) {
      check('resume', request, RESUME, 'sessionId');
      return runtime.resume(request);
    },
    sessions: {
      ...runtime.sessions,
      async list(query = {}) {
        check('sessions.list', query, LIST);
        return runtime.sessions.list(query);
      },
    },
    close: () => (closing ??= runtime.close()),
  };
}
