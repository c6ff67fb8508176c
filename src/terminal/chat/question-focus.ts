/**
 * Decides whether keys answer the open question. They do while the editor is empty and the question isn't set
 * aside. A key pressed before the user could read the question doesn't count.
 */
const readingMs = 400;

export interface QuestionFocus {
  /** `soon`: the question just appeared. `elsewhere`: keys go to the editor. */
  keys(): 'count' | 'soon' | 'elsewhere';
  isAnswering(): boolean;
  /** Called on each refresh of the screen. Starts the reading time of a new question. */
  saw(): void;
  /** Sets the question aside, or returns to it. */
  toggleAside(question: string): void;
  takeUp(question: string): void;
}

export interface QuestionFocusOptions {
  /** The id of the open question. */
  readonly question: () => string | undefined;
  /** True if the editor is empty and a typed line would be a prompt. */
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
