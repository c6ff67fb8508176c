/**
 * Messages between processes that share a store. Delivery is best effort: the journal is the source of truth. The
 * publisher doesn't receive its own messages.
 */
export interface Bus extends AsyncDisposable {
  publish(topic: string, message: string): void;
  subscribe(topic: string, listener: (message: string) => void): () => void;
}
