import type { Tool } from '../define.ts';
import { optionalText, textArgument } from '../input.ts';
import { browserTool } from './browser-tool.ts';
import { fileNeed, keepFile } from './keep-file.ts';
import description from './browser-download.md';

/** Keeps downloads. */
export function browserDownloadTool(): Tool {
  return browserTool({
    name: 'BrowserDownload',
    description,
    properties: { path: { type: 'string', description: 'new file' }, id: { type: 'string', description: 'which one; the last when left out' } },
    required: ['path'],
    readOnly: false,
    argumentAliases: { filename: 'path', file_path: 'path', download: 'id' },
    request: (input) => {
      const id = optionalText(input, 'id');
      return { action: 'download', ...(id === undefined ? {} : { id }) };
    },
    alsoNeeds: (input, { cwd }) => fileNeed(textArgument(input, 'path'), cwd),
    finish: async ({ outcome, file }, input, context) => (file ? keepFile(textArgument(input, 'path'), file, { context, replaces: 'nothing' }) : outcome),
  });
}
