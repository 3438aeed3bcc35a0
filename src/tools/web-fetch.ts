import { failed } from '../protocol/tool.ts';
import type { Tool } from './define.ts';
import { numberArgument, optionalText, textArgument } from './input.ts';
import { pageAddress } from './page-address.ts';
import description from './web-fetch.md';

/** Reads web pages through what the runtime gives. */
export function webFetchTool(): Tool {
  return {
    spec: {
      name: 'WebFetch',
      description,
      input_schema: {
        type: 'object',
        properties: {
          url: { type: 'string' },
          prompt: { type: 'string', description: 'what to find out' },
          offset: { type: 'integer', minimum: 0, description: 'first character' },
        },
        required: ['url'],
      },
    },
    readOnly: true,
    deferred: true,
    argumentAliases: { uri: 'url', link: 'url', address: 'url', question: 'prompt', query: 'prompt', start_index: 'offset' },
    needs: (input) => {
      const url = pageAddress(textArgument(input, 'url'));
      // What is no address goes nowhere.
      return url ? [{ action: 'network', url: url.href }] : [];
    },
    run: async (input, context) => {
      const given = textArgument(input, 'url');
      const url = pageAddress(given);
      if (!url) return failed(`${JSON.stringify(given.slice(0, 200))} is no address of the web. Give one that begins with https://.`);
      const prompt = optionalText(input, 'prompt')?.trim() ?? '';
      return context.web.fetch({ url, offset: numberArgument(input, 'offset', 0), ...(prompt === '' ? {} : { prompt }) }, context);
    },
  };
}
