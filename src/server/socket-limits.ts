/** Limits of one WebSocket connection. */
export interface SocketLimits {
  readonly helloMs: number;
  readonly messageBytes: number;
  readonly messagesPerSecond: number;
  /** How many messages over the rate limit close the connection. */
  readonly refusals: number;
  readonly pingMs: number;
  readonly silenceMs: number;
  readonly follows: number;
  /** Bytes buffered for a slow reader. */
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
