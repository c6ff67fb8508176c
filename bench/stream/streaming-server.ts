/** A server whose sessions speak to followers, and how its followers greet it. */
export interface StreamingServer extends AsyncDisposable {
  readonly port: number;
  readonly clients: readonly StreamClient[];
  /** What tells a client that it follows. */
  readonly greeted: string;
  /** Speaks in every session at once. */
  stream(speak: Speak): Promise<void>;
}

export interface StreamClient {
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent one after the other once a WebSocket is open; without it, server-sent events are asked for. */
  readonly says?: readonly string[];
}

/** Puts tokens out, one burst a call, until it says that it is enough. */
export type Speak = (put: (token: string) => void) => Promise<void>;

export interface Crowd {
  readonly sessions: number;
  /** Of each session. */
  readonly followers: number;
}

/** One client for each follower of each session. */
export function clientsOf<Session>(
  sessions: readonly Session[],
  followers: number,
  client: (session: Session) => StreamClient,
): readonly StreamClient[] {
  return sessions.flatMap((session) => Array.from({ length: followers }, () => client(session)));
}
