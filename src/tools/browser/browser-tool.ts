import { actsOnPage, type BrowserRequest, type BrowserTarget } from '../../protocol/browser.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { PermissionNeed } from '../../protocol/permission.ts';
import { failed } from '../../protocol/tool.ts';
import type { BrowserResult, NeedsContext, Tool, ToolContext } from '../define.ts';
import { optionalText } from '../input.ts';

/** What makes a tool of the browser; its other arguments are those of `Tool`. */
export interface BrowserToolParts extends Pick<Tool, 'readOnly' | 'argumentAliases' | 'polling'> {
  readonly name: string;
  readonly description: string;
  readonly properties: JsonObject;
  readonly required?: readonly string[];
  /** What is asked of the browser; or a sentence on what is wrong with the input. */
  readonly request: (input: JsonObject) => BrowserRequest | string;
  /** What it needs beside the page or the address that it works on. */
  readonly alsoNeeds?: (input: JsonObject, context: NeedsContext) => readonly PermissionNeed[];
  /** Makes the outcome of what came; that of the browser as it is when left out. */
  readonly finish?: (result: BrowserResult, input: JsonObject, context: ToolContext) => Promise<BrowserResult['outcome']>;
}

/** Arguments that name an element; `element` says in words which one it is and has no effect. */
export const TARGET = {
  ref: { type: 'string', description: 'reference of the last snapshot' },
  selector: { type: 'string', description: 'CSS selector' },
  element: { type: 'string', description: 'what it is, for people' },
};

/** Other names of the arguments in `TARGET`. */
export const TARGET_ALIASES = { target: 'ref', css: 'selector', description: 'element' };

/** A deferred tool that works in the browser of the session. */
export function browserTool(parts: BrowserToolParts): Tool {
  const { name, description, properties, required = [], request, alsoNeeds, finish } = parts;
  return {
    spec: { name, description, input_schema: { type: 'object', properties, required: [...required] } },
    readOnly: parts.readOnly,
    deferred: true,
    ...(parts.polling ? { polling: true } : {}),
    argumentAliases: parts.argumentAliases ?? {},
    needs: (input, context) => [...pageNeeds(request(input), context), ...(alsoNeeds?.(input, context) ?? [])],
    run: async (input, context) => {
      const asked = request(input);
      if (typeof asked === 'string') return failed(asked);
      const result = await context.browser.run(asked, context);
      return finish ? finish(result, input, context) : result.outcome;
    },
  };
}

/** To open an address is a request to it; to act on a page needs its host. What is no request is never sent. */
function pageNeeds(request: BrowserRequest | string, { page }: NeedsContext): readonly PermissionNeed[] {
  if (typeof request === 'string') return [];
  if ((request.action === 'navigate' || request.action === 'tabs') && request.url !== undefined) return [{ action: 'network', url: request.url }];
  const url = actsOnPage(request) ? page?.() : undefined;
  return url === undefined ? [] : [{ action: 'network', url, acts: true }];
}

/** The element that an input names; undefined where it names none. A reference that looks like none is a selector. */
export function targetOf(input: JsonObject): BrowserTarget | undefined {
  const ref = optionalText(input, 'ref')?.trim() ?? '';
  const selector = optionalText(input, 'selector')?.trim() ?? '';
  if (ref !== '') return /^(?:aria-ref=|ref=)?(?:f\d+)?e\d+$/.test(ref) ? { ref } : { selector: ref };
  return selector === '' ? undefined : { selector };
}

/** The same as a part of a request. */
export function withTarget(input: JsonObject): { readonly target?: BrowserTarget } {
  const target = targetOf(input);
  return target ? { target } : {};
}

/** What is said where no element is named. */
export const NO_TARGET = 'Which element is meant? Give ref (a reference of BrowserSnapshot) or selector.';
