/**
 * A typed client of a skillmint server, for Node, browsers and whatever else has `fetch`.
 * @module
 */
export { createClient, type Client, type ClientOptions, type Given } from './create-client.ts';
export type { FollowedEvent } from '../protocol/events.ts';
export type { Following } from './follow-events.ts';
export { ServerError } from './server-error.ts';
export type { ApiModel, ApiSetting } from '../api/settings-endpoints.ts';
export type { ApiListedSkill, ApiSkill, ApiSkillFile, ApiTrust, ApiTrustDifference } from '../api/skill-endpoints.ts';
export type { ApiRequest, ListedSession, ShownSession } from '../api/session-endpoints.ts';
export type { SessionEvent, StoredEvent } from '../protocol/events.ts';
export type { ExecutionRecord } from '../protocol/execution.ts';
export type { ServerSummary } from '../protocol/mcp.ts';
export type { InstalledSkill } from '../protocol/skill.ts';
export type { UsageSum } from '../protocol/usage.ts';
