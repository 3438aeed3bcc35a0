import { endpoint, NONE } from './endpoint.ts';
import { shaped } from './schema.ts';

/** What the server tells of itself. */
export const METRICS_ENDPOINTS = {
  showMetrics: endpoint({
    method: 'GET', path: '/metrics', summary: 'Gives counts and times in the text form of Prometheus. Scrapers send the token, too.', admin: true,
    query: NONE, body: NONE, answer: shaped<Response>('Text.'), answerType: 'text/plain',
  }),
};
