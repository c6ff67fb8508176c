/** The session that was open before this one, and the draft that stays with each. */
import type { Editor } from '@earendil-works/pi-tui';

interface VisitedSessions {
  readonly previous: string | undefined;
  /** Another session may have opened: its draft replaces the one on the screen. */
  look(session: string): void;
  /** Drafts of the other sessions. */
  drafts(): readonly string[];
}

export function createVisitedSessions(editor: Pick<Editor, 'getText' | 'setText'>): VisitedSessions {
  const kept = new Map<string, string>();
  let current: string | undefined;
  let previous: string | undefined;
  return {
    get previous() {
      return previous;
    },
    look(session) {
      if (session === current) return;
      if (current !== undefined) {
        kept.set(current, editor.getText());
        editor.setText(kept.get(session) ?? '');
      }
      kept.delete(session);
      previous = current;
      current = session;
    },
    drafts: () => [...kept.values()],
  };
}
