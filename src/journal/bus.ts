/**
 * Messages between the processes that share a store. Lossy: whoever misses one finds the truth in
 * the journal. Never delivered to the publisher itself.
 */
export interface Bus extends AsyncDisposable {
  publish(topic: string, message: string): void;
  subscribe(topic: string, listener: (message: string) => void): () => void;
}
