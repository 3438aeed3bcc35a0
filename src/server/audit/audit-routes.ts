import { AUDIT_ENDPOINTS as API } from '../../api/audit-endpoints.ts';
import { route, type Route } from '../route.ts';
import type { AuditLog } from './audit-log.ts';

const PAGE = 100;
const MOST_PAGE = 500;

/** The audit log, for administrators. */
export function auditRoutes(log: AuditLog): readonly Route[] {
  return [
    route(API.listAudit, async ({ query: { limit = PAGE, offset = 0 } }) => {
      const [most, from] = [Math.min(Math.max(Number(limit), 1), MOST_PAGE), Number(offset)];
      const found = await log.read({ limit: most + 1, offset: from });
      return { entries: found.slice(0, most), ...(found.length > most ? { next: from + most } : {}) };
    }),
  ];
}
