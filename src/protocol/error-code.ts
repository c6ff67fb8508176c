/** Stable error codes, the same on HTTP and WebSocket. */
import type { Refusal } from '../kernel/decide/draft.ts';
import type { Ending } from '../kernel/outcome.ts';

export type ErrorCode = keyof typeof statusByCode;

/** The HTTP status of each code. */
const statusByCode = {
  INVALID_MESSAGE: 400,
  VERSION_MISMATCH: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  SESSION_NOT_FOUND: 404,
  QUESTION_NOT_FOUND: 404,
  CONFLICT: 409,
  MESSAGE_TOO_LARGE: 413,
  MISDIRECTED: 421,
  REFUSED: 422,
  WORKTREE_ERROR: 422,
  RATE_LIMITED: 429,
  LIMIT_REACHED: 429,
  INTERNAL: 500,
  NOT_IMPLEMENTED: 501,
  AGENT_SPAWN_FAILED: 502,
  AGENT_CRASHED: 502,
  MODEL_AUTH: 502,
  MODEL_UNAVAILABLE: 503,
  UNAVAILABLE: 503,
  AGENT_TIMEOUT: 504,
} as const;

export const errorCodes = Object.keys(statusByCode) as readonly ErrorCode[];

function statusOfCode(code: ErrorCode): (typeof statusByCode)[ErrorCode] {
  return statusByCode[code];
}

/** An error response. */
export interface ClientError {
  readonly code: ErrorCode;
  readonly message: string;
}

/** False for codes that end the connection. */
export function isRecoverable(code: ErrorCode): boolean {
  return code !== 'VERSION_MISMATCH' && code !== 'UNAUTHORIZED' && code !== 'FORBIDDEN';
}

/** The wire error of a session's refusal. */
export function errorOfRefusal({ code, message }: Refusal, about: 'question' | 'input'): ClientError {
  switch (code) {
    case 'not-found':
      return { code: about === 'question' ? 'QUESTION_NOT_FOUND' : 'NOT_FOUND', message };
    case 'conflict':
    case 'closed':
      return { code: 'CONFLICT', message };
    case 'forbidden':
      return { code: 'FORBIDDEN', message };
    case 'limit':
      return { code: 'LIMIT_REACHED', message };
    case 'invalid':
      return { code: 'REFUSED', message };
  }
}

/** The error that followers get when a turn ends badly, or undefined. */
export function errorOfEnding(ending: Ending): ClientError | undefined {
  if (ending.type === 'timed-out') return { code: 'LIMIT_REACHED', message: ending.message };
  if (ending.type !== 'failed') return undefined;
  const { code, message } = ending;
  if (code.startsWith('limit-')) return { code: 'LIMIT_REACHED', message };
  switch (code) {
    case 'model-auth':
      return { code: 'MODEL_AUTH', message };
    case 'model-unavailable':
    case 'model-rate-limited':
      return { code: 'MODEL_UNAVAILABLE', message };
    case 'agent-unavailable':
      return { code: 'AGENT_SPAWN_FAILED', message };
    case 'agent-timeout':
      return { code: 'AGENT_TIMEOUT', message };
    case 'agent-failed':
      return { code: 'AGENT_CRASHED', message };
    default:
      return undefined;
  }
}

/** The body of an `application/problem+json` answer. */
export interface Problem {
  readonly type: 'about:blank';
  readonly title: string;
  readonly status: number;
  readonly code: ErrorCode;
  readonly detail: string;
}

export function problemBody({ code, message }: ClientError): Problem {
  const title = code.toLowerCase().replaceAll('_', ' ');
  return { type: 'about:blank', title, status: statusOfCode(code), code, detail: message };
}
