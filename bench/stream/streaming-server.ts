/** A server whose sessions stream to followers, and how followers connect to it. */
export interface StreamingServer extends AsyncDisposable {
  readonly port: number;
  readonly clients: readonly StreamClient[];
  /** The message that confirms to a client that it follows. */
  readonly greeted: string;
  /** Streams in every session at once. */
  stream(speak: Speak): Promise<void>;
}

export interface StreamClient {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Messages sent in order once a WebSocket is open. If absent, the client requests server-sent events. */
  readonly says?: readonly string[];
}

/** Sends tokens, one burst per call, until it returns that it is done. */
export type Speak = (put: (token: string) => void) => Promise<void>;

export interface Crowd {
  readonly sessions: number;
  /** Per session. */
  readonly followers: number;
}

export function clientsOf<Session>(
  sessions: readonly Session[],
  followers: number,
  client: (session: Session) => StreamClient,
): readonly StreamClient[] {
  return sessions.flatMap((session) => Array.from({ length: followers }, () => client(session)));
}
