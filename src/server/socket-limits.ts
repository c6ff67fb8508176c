/** What one WebSocket connection may do. */
export interface SocketLimits {
  readonly helloMs: number;
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  /** Messages over the rate after which the connection is ended. */
  readonly refusals: number;
  readonly pingMs: number;
  readonly silenceMs: number;
  readonly follows: number;
  /** Bytes that may wait for a slow reader. */
  readonly bufferedBytes: number;
  readonly directoryPage: number;
}

export const defaultSocketLimits: SocketLimits = {
  helloMs: 10_000,
  messageBytes: 1024 * 1024,
  messagesPerSecond: 50,
  refusals: 500,
  pingMs: 30_000,
  silenceMs: 90_000,
  follows: 2000,
  bufferedBytes: 1024 * 1024,
  directoryPage: 200,
};
