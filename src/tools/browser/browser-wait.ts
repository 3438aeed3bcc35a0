import type { Tool } from '../define.ts';
import { optionalText } from '../input.ts';
import { browserTool } from './browser-tool.ts';
import description from './browser-wait.md';

/** Waits. */
export function browserWaitTool(): Tool {
  return browserTool({
    name: 'BrowserWait',
    description,
    properties: { text: { type: 'string' }, textGone: { type: 'string' }, time: { type: 'number', minimum: 0, maximum: 60, description: 'seconds; with a text the most' } },
    readOnly: true,
    polling: true,
    argumentAliases: { seconds: 'time', gone: 'textGone' },
    request: (input) => {
      const text = optionalText(input, 'text');
      const gone = text === undefined ? optionalText(input, 'textGone') : undefined;
      const { time } = input;
      if (text === undefined && gone === undefined && typeof time !== 'number') return 'What is to be waited for? Give text, textGone or time (seconds).';
      return { action: 'wait', ...(text === undefined ? {} : { text }), ...(gone === undefined ? {} : { gone }), ...(typeof time === 'number' ? { ms: time * 1000 } : {}) };
    },
  });
}
