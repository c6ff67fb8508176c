/** A runtime as the benchmark drives it: ours, the floor, later a peer. */
export interface TurnRuntime extends AsyncDisposable {
  openSession(): Promise<TurnSession>;
}

export interface TurnSession {
  /** Resolves with the final text, after the last delta was delivered and whatever is durable is on disk. */
  turn(text: string, onDelta: (delta: string) => void): Promise<string>;
  close(): Promise<void>;
}
