/**
 * The library: `createRuntime` opens settings, store, models, skills and tools behind one interface; `executeSkill` runs one script of a skill.
 * @module
 */
export { createRuntime } from './runtime/embed/embedded-runtime.ts';
export type { RuntimeOptions } from './runtime/parts.ts';
export type { AnswerRequest, KeyedMessage, PromptRequest, ResumeRequest, RunningTurn, Runtime, SandboxInfo, TurnResult, WorkOptions } from './runtime/runtime.ts';
export type { GivenSkill, SkillSource } from './runtime/embed/given-skill.ts';
export type { OwnSessions } from './runtime/database/own-backend.ts';
export type { EventBus, Follower, Following, PassedMessage, TurnReply, TurnRequest, TurnRequestTaker } from './sessions/event-bus.ts';
export type { Lease, NewEvent, Owner, SessionQuery, SessionStatus, SessionStore, SessionSummary, UsageQuery, UsageReport } from './sessions/store.ts';
export type { QueueWork, TurnOutcome, TurnQueue } from './sessions/turn-queue.ts';
export type { OwnFields } from './runtime/embed/own-fields.ts';
export { defineTool, type DefinedTool, type SchemaOf } from './runtime/embed/define-tool.ts';
export type { OwnTool, OwnToolContext } from './runtime/embed/own-tool.ts';
export type { GivenAnswer, RequestHandler } from './runtime/embed/request-handler.ts';
export type { OpenRequest } from './protocol/session-state.ts';
export type { ScriptConsent, ScriptQuestion, SkillTool, SkillToolCall, SkillToolName, SkillToolResult, SkillTools, SkillToolsOptions } from './runtime/skill-tools/skill-tool.ts';
export type { SettingsFile } from './config/settings.ts';
export type { Effort, Model, ModelEvent, ModelFailure, ModelInfo, ModelReply, ModelRequest, StopReason } from './model/model.ts';
export type { AssistantPart, DocumentPart, ImagePart, ReasoningPart, ResultPart, TextPart, ToolCallPart, ToolResultPart, UserPart } from './protocol/content.ts';
export type { EventBody, SessionEvent, StoredEvent, TransientBody, TurnStatus } from './protocol/events.ts';
export type { Message } from './protocol/message.ts';
export type { PermissionDecision, PermissionMode, PermissionScope } from './protocol/permission.ts';
export type { SessionState } from './protocol/session-state.ts';
export { foldEvents } from './protocol/fold.ts';
export { awarenessList, directText, toolModeText, type SkillWithBody } from './skills/activate/skill-text.ts';
export type { ChosenSkill, DeclinedSkill, MadeSkill, SkillAgent, SkillAgentCall, SkillAgentReport, SkillCreateRequest, SkillCreateResult, SkillSearchRequest, SkillSearchResult } from './runtime/skill-agent/skill-agent.ts';
export type { SkillCatalogue } from './skills/discover/catalogue.ts';
export type { SkillEntry } from './skills/discover/skill-entry.ts';
export type { SkillTurn, SkillWhy } from './runtime/skills/why-skill.ts';
export type { EvaluateOptions } from './runtime/evaluate/evaluate-options.ts';
export type { ArmDifference, ArmReport, EvaluationReport, ExpectationReport, MissStage, QueryReport, Rate, TriggerReport } from './evaluate/report/report.ts';
export type { EvaluationEvent } from './evaluate/runs/evaluation-event.ts';
export type { Stopped } from './evaluate/runs/stopped.ts';
export type { Arm } from './evaluate/runs/plan.ts';
export type { Grade, RunRecord } from './evaluate/runs/record.ts';
export { executeSkill, type ExecuteOptions, type SkillExecution } from './runtime/execute/execute-skill.ts';
export type { ExecutionRecord } from './protocol/execution.ts';
export { RepeatedMessageError } from './runtime/turn/repeated-message.ts';
export type { FollowedEvent } from './protocol/events.ts';
export type { Json, JsonObject, JsonSchema } from './protocol/json.ts';
export type { Usage } from './protocol/usage.ts';
export { PermissionError, SkillmintError, SkillNotFoundError, type ErrorCode } from './protocol/errors.ts';
