/** Recalls earlier prompts with the arrow keys. The draft in progress is kept and comes back last. */
export interface Recall {
  /** Newest first. */
  readonly entries: readonly string[];
  add(text: string): void;
  /** The text to show, undefined if there is none in that direction. */
  older(draft: string): string | undefined;
  newer(): string | undefined;
  /** Typing ends it. */
  stop(): void;
}

const most = 500;

export function createRecall(): Recall {
  const entries: string[] = [];
  /** How far back: 0 is the newest. */
  let at: number | undefined;
  let kept = '';
  return {
    entries,
    add(text) {
      at = undefined;
      if (text.trim() === '' || entries[0] === text) return;
      entries.unshift(text);
      entries.splice(most);
    },
    older(draft) {
      const next = at === undefined ? 0 : at + 1;
      const entry = entries[next];
      if (entry === undefined) return undefined;
      if (at === undefined) kept = draft;
      at = next;
      return entry;
    },
    newer() {
      if (at === undefined) return undefined;
      at = at === 0 ? undefined : at - 1;
      return at === undefined ? kept : entries[at];
    },
    stop() {
      at = undefined;
    },
  };
}
