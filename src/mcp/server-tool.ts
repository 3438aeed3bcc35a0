import { messageOf } from '../protocol/errors.ts';
import { failed } from '../protocol/tool.ts';
import type { Tool } from '../tools/define.ts';
import { cutStart } from '../util/cut-text.ts';
import { callToolOfServer } from './call-tool-of-server.ts';
import type { OfferedTool } from './offered-tools.ts';
import type { SupervisedServer } from './supervised-server.ts';

/** Lines of progress that one call may show, and characters of each. */
const MOST_LINES = 500;
const MOST_LINE = 300;

/**
 * A tool of a server. What the server says of it, that it only reads for example, gives no rights: a call asks unless a rule
 * allows it, and is never repeated by itself. Where the server asks the person something, the call goes on with the answer.
 */
export function serverTool(server: SupervisedServer, offered: OfferedTool): Tool {
  return {
    spec: offered.spec,
    readOnly: false,
    deferred: true,
    resumes: true,
    needs: () => [{ action: 'tool' }],
    run: async (input, context) => {
      const { signal, emit } = context;
      let lines = 0;
      const onProgress = (text: string): void => {
        if (++lines <= MOST_LINES) emit(`${cutStart(text, MOST_LINE)}\n`);
      };
      try {
        return await callToolOfServer(server, { tool: offered, input, signal, onProgress }, context);
      } catch (error) {
        return failed(signal.aborted ? `${offered.spec.name} was stopped.` : `${offered.spec.name} failed: ${messageOf(error)}. See: skillmint mcp test ${server.shortName}`);
      }
    },
  };
}
