import { AUDIT_ENDPOINTS } from './audit-endpoints.ts';
import { EVALUATION_ENDPOINTS } from './evaluation-endpoints.ts';
import { MCP_ENDPOINTS } from './mcp-endpoints.ts';
import { MEMORY_ENDPOINTS } from './memory-endpoints.ts';
import { SESSION_ENDPOINTS } from './session-endpoints.ts';
import { SIDECAR_ENDPOINTS } from './sidecar-endpoints.ts';
import { SERVER_ENDPOINTS } from './server-endpoints.ts';
import { SETTINGS_ENDPOINTS } from './settings-endpoints.ts';
import { SKILL_ENDPOINTS } from './skill-endpoints.ts';
import { TURN_ENDPOINTS } from './turn-endpoints.ts';

/** Everything that can be asked of a server. */
export const API = { ...SESSION_ENDPOINTS, ...TURN_ENDPOINTS, ...SKILL_ENDPOINTS, ...EVALUATION_ENDPOINTS, ...SETTINGS_ENDPOINTS, ...MCP_ENDPOINTS, ...MEMORY_ENDPOINTS, ...SERVER_ENDPOINTS, ...AUDIT_ENDPOINTS, ...SIDECAR_ENDPOINTS };
