/** A runtime as the benchmark drives it: Rondo, the floor or a peer. */
export interface TurnRuntime extends AsyncDisposable {
  openSession(): Promise<TurnSession>;
}

export interface TurnSession {
  /** Resolves with the final text, after the last delta was delivered and durable data is on disk. */
  turn(text: string, onDelta: (delta: string) => void): Promise<string>;
  close(): Promise<void>;
}
