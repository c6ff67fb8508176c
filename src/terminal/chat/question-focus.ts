/**
 * Whether keys answer the open question. They do while nothing is typed and the question is not set aside; and a
 * key pressed before the question could be read is no answer to it.
 */
const readingMs = 400;

export interface QuestionFocus {
  /** `soon`: the question was shown a moment ago. `elsewhere`: keys go to the editor. */
  keys(): 'count' | 'soon' | 'elsewhere';
  isAnswering(): boolean;
  /** Told of the open question whenever the screen is looked after: its time to be read begins. */
  saw(): void;
  /** Sets the question aside, or takes it up again. */
  toggleAside(question: string): void;
  takeUp(question: string): void;
}

export interface QuestionFocusOptions {
  /** The id of the question that is open. */
  readonly question: () => string | undefined;
  /** Nothing is typed, and what is typed would be a prompt. */
  readonly isFree: () => boolean;
}

export function createQuestionFocus({ question, isFree }: QuestionFocusOptions): QuestionFocus {
  const aside = new Set<string>();
  let shown: { readonly id: string; readonly since: number } | undefined;

  function isAnswering(): boolean {
    const id = question();
    return id !== undefined && !aside.has(id) && isFree();
  }

  return {
    isAnswering,
    keys() {
      if (!isAnswering()) return 'elsewhere';
      const isRead = shown?.id === question() && performance.now() - (shown?.since ?? 0) >= readingMs;
      return isRead ? 'count' : 'soon';
    },
    saw() {
      const id = question();
      if (id !== undefined && shown?.id !== id) shown = { id, since: performance.now() };
    },
    toggleAside(id) {
      if (!aside.delete(id)) aside.add(id);
    },
    takeUp: (id) => void aside.delete(id),
  };
}
