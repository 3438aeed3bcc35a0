import type { Tool } from '../define.ts';
import { textArgument } from '../input.ts';
import { browserTool, TARGET, TARGET_ALIASES, withTarget } from './browser-tool.ts';
import description from './browser-evaluate.md';

/** Runs code in the page. */
export function browserEvaluateTool(): Tool {
  return browserTool({
    name: 'BrowserEvaluate',
    description,
    properties: { code: { type: 'string' }, ...TARGET },
    required: ['code'],
    readOnly: false,
    argumentAliases: { ...TARGET_ALIASES, function: 'code', script: 'code', expression: 'code', javascript: 'code' },
    request: (input) => ({ action: 'evaluate', code: textArgument(input, 'code'), ...withTarget(input) }),
  });
}
