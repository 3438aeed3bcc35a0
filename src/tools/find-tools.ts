import type { Tool } from './define.ts';
import description from './find-tools.md';
import { textArgument } from './input.ts';

/** Finds skills and deferred tools through what the runtime gives. */
export function findToolsTool(): Tool {
  return {
    spec: { name: 'FindTools', description, input_schema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] } },
    readOnly: true,
    argumentAliases: { q: 'query', text: 'query' },
    needs: () => [],
    run: (input, context) => context.skills.find(textArgument(input, 'query')),
  };
}
