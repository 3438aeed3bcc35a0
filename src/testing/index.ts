/** `skillmint/testing`: what tests of code that uses skillmint need. */
export { scriptedModel, type ScriptedModel, type ScriptedReply, type ScriptedStep } from './scripted-model.ts';
export { memoryHost, type CommandHandler, type MemoryCommandResult, type MemoryHost } from './memory-host.ts';
export { startFakeProvider, type FakeProvider, type FakeProviderOptions } from './fake-provider/server.ts';
export type { FakeAnswer, FakeApi, FakeCall, FakeFault, FakeReply, FakeRequest, FakeStep, FakeWord } from './fake-provider/script.ts';
export { memorySessions, sessionMemory, type MemorySessionsOptions, type SessionMemory } from './memory-sessions.ts';
