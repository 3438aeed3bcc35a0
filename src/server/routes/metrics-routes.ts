import { METRICS_ENDPOINTS as API } from '../../api/metrics-endpoints.ts';
import type { ServerTelemetry } from '../../telemetry/server-telemetry.ts';
import { route, type Route } from '../route.ts';

/** Metrics of the server, for administrators. */
export function metricsRoutes(telemetry: ServerTelemetry): readonly Route[] {
  return [
    route(API.showMetrics, async () => {
      const { type, text } = await telemetry.metrics();
      return new Response(text, { headers: { 'content-type': type } });
    }),
  ];
}
