/** The folder's recent sessions, and those of all folders that need the user. Looked up now and then. */
import type { DirectoryEntry } from '../../views/directory.ts';
import type { ChatBackend } from '../chat/chat-backend.ts';
import type { Chat } from '../chat/chat.ts';

export interface WaitingElsewhere {
  readonly waiting: number;
  readonly recent: readonly DirectoryEntry[];
  /** The model that a session without one uses. */
  readonly model: string | undefined;
  begin(): void;
  close(): void;
}

export interface WaitingElsewhereParts {
  readonly backend: () => ChatBackend | undefined;
  readonly chat: () => Chat | undefined;
  readonly changed: () => void;
}

const everyMs = 5000;

export function createWaitingElsewhere({ backend, chat, changed }: WaitingElsewhereParts): WaitingElsewhere {
  let entries: readonly DirectoryEntry[] = [];
  let model: string | undefined;
  let timer: NodeJS.Timeout | undefined;

  async function look(): Promise<void> {
    if (chat()?.isLost === true) return;
    entries = (await backend()?.sessions({})) ?? [];
    changed();
  }
  // A lookup that fails is repeated. The chat itself shows a lost connection.
  const lookQuietly = () => void look().catch(() => undefined);

  const others = () => {
    const current = chat()?.view.session;
    return entries.filter(({ session, parent }) => session !== current && parent === undefined);
  };
  const needing = () => others().filter(({ questions }) => questions > 0);

  return {
    get waiting() {
      return needing().length;
    },
    get recent() {
      const cwd = chat()?.view.status?.cwd;
      return others()
        .filter((entry) => entry.cwd === cwd && entry.turns > 0)
        .toSorted((a, b) => b.updatedAt - a.updatedAt);
    },
    get model() {
      return model;
    },
    begin() {
      lookQuietly();
      timer = setInterval(lookQuietly, everyMs);
      timer.unref();
      backend()
        ?.models()
        .then(([first]) => {
          model = first?.id;
          changed();
        })
        .catch(() => undefined);
    },
    close: () => clearInterval(timer),
  };
}
