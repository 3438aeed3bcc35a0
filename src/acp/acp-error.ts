import { RequestError } from '@agentclientprotocol/sdk';
import { SkillmintError, type ErrorCode } from '../protocol/errors.ts';

const NOT_FOUND = -32_002;
const NO_KEY = -32_000;
const INVALID_PARAMS = -32_602;
const INTERNAL = -32_603;

/** An error as the protocol has it: the sentence for the person as its message, and the product's code beside it. */
export function asRequestError(error: unknown, onFault: (error: unknown) => void): RequestError {
  if (error instanceof RequestError) return error;
  if (error instanceof SkillmintError) return new RequestError(numberOf(error.code), error.message, { code: error.code });
  onFault(error);
  return new RequestError(INTERNAL, 'skillmint failed at this request; what it wrote to standard error says more.', { code: 'internal' });
}

function numberOf(code: ErrorCode): number {
  switch (code) {
    case 'session_not_found':
    case 'not_found': return NOT_FOUND;
    case 'key_missing': return NO_KEY;
    case 'usage':
    case 'invalid_argument':
    case 'model_unknown':
    case 'provider_unknown': return INVALID_PARAMS;
    default: return INTERNAL;
  }
}
