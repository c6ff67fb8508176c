import { RequestError, type StopReason } from '@agentclientprotocol/sdk';

import type { Ending } from '../../kernel/outcome.ts';

/**
 * The protocol's stop reason for a turn's ending. Undefined if the protocol has none, which is answered with an
 * error.
 */
export function stopReasonOf(ending: Ending): StopReason | undefined {
  switch (ending.type) {
    case 'completed':
      return 'end_turn';
    case 'cancelled':
      return 'cancelled';
    case 'timed-out':
      return undefined;
    case 'failed':
      break;
  }
  switch (ending.code) {
    case 'limit-tokens':
    case 'limit-cost':
      return 'max_tokens';
    case 'limit-steps':
    case 'limit-tool-calls':
      return 'max_turn_requests';
    case 'model-refused':
    case 'limit-rejections':
    case 'limit-denials':
    case 'reply-rejected':
    case 'task-refused':
      return 'refusal';
    default:
      return undefined;
  }
}

/** For an ending without a stop reason. */
export function endingError(ending: Ending): RequestError {
  return RequestError.internalError({ ending }, 'message' in ending ? ending.message : ending.type);
}
