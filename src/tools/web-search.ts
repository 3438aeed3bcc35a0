import { failed } from '../protocol/tool.ts';
import type { Tool } from './define.ts';
import { numberArgument, textArgument, textsArgument } from './input.ts';
import description from './web-search.md';

const RESULTS = 5;
const MOST_RESULTS = 20;
const DOMAINS = { type: 'array', items: { type: 'string' } } as const;

/** Searches the web through what the runtime gives; `searchUrl` is where that sends the query. */
export function webSearchTool(searchUrl: string): Tool {
  return {
    spec: {
      name: 'WebSearch',
      description,
      input_schema: {
        type: 'object',
        properties: { query: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: MOST_RESULTS, description: `results, ${RESULTS} by default` }, allowed_domains: DOMAINS, blocked_domains: DOMAINS },
        required: ['query'],
      },
    },
    readOnly: true,
    deferred: true,
    argumentAliases: { q: 'query', search_term: 'query', num_results: 'count', numResults: 'count', max_results: 'count', limit: 'count' },
    needs: () => [{ action: 'network', url: searchUrl }],
    run: async (input, context) => {
      const query = textArgument(input, 'query').trim();
      if (query === '') return failed('The query is empty. Say what is looked for.');
      return context.web.search({ query, count: numberArgument(input, 'count', RESULTS), allowedDomains: textsArgument(input, 'allowed_domains'), blockedDomains: textsArgument(input, 'blocked_domains') }, context);
    },
  };
}
