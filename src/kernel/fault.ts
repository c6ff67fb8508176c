/**
 * A failure of the outside world. Adapters throw it. The runtime turns it into a failed outcome, the session loop
 * suspends that session, and a connection closes that client.
 */
export class Fault extends Error {
  readonly code: FaultCode;

  constructor(code: FaultCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.name = 'Fault';
    this.code = code;
  }
}

export type FaultCode =
  | 'disk-full'
  | 'read-only'
  | 'not-found'
  | 'unreadable'
  | 'damaged'
  | 'conflict'
  | 'busy'
  | 'closed'
  | 'network'
  /** Another node owns it. */
  | 'misdirected'
  | 'process'
  | 'internal';

/** A store or a service that doesn't answer now and may later. */
export function isPassing(error: unknown): error is Fault {
  return error instanceof Fault && (error.code === 'busy' || error.code === 'network');
}
