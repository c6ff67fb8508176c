/** The folder's recent sessions, and those of all folders that need the user. Looked up now and then. */
import { openRequests } from '../../commands/inbox.ts';
import { previewOf } from '../../kernel/content.ts';
import type { ModelEntry, SessionHit } from '../../ports/rondo-client.ts';
import { replyEnd } from '../../views/reply-end.ts';
import { effectHeading } from '../../wording/effect-heading.ts';
import type { ChatBackend } from '../chat/chat-backend.ts';
import type { Chat } from '../chat/chat.ts';
import type { FolderFacts } from '../chat/folder-facts.ts';
import { sessionRankOf } from './session-rows.ts';
import type { RecentSession } from './start-lines.ts';

interface WaitingElsewhere {
  readonly waiting: number;
  readonly recent: readonly RecentSession[];
  /** Sessions of all folders. */
  readonly total: number;
  readonly folder: FolderFacts | undefined;
  /** The model that a session without one uses. */
  readonly model: ModelEntry | undefined;
  /** Models that have what they need, best first. */
  readonly models: readonly ModelEntry[];
  begin(): void;
  close(): void;
}

interface WaitingElsewhereParts {
  readonly backend: () => ChatBackend | undefined;
  readonly chat: () => Chat | undefined;
  readonly changed: () => void;
}

const everyMs = 5000;
const settledMs = 300;
const mostRecent = 5;
const lastItems = 20;

export function createWaitingElsewhere({ backend, chat, changed }: WaitingElsewhereParts): WaitingElsewhere {
  let entries: readonly SessionHit[] = [];
  let models: readonly ModelEntry[] = [];
  let folder: FolderFacts | undefined;
  let timer: NodeJS.Timeout | undefined;
  let later: NodeJS.Timeout | undefined;
  let asked: ReadonlyMap<string, string> = new Map();
  /** The end of a session's last reply, for the row that it was read for. */
  const said = new Map<string, { readonly at: number; readonly text: string }>();

  async function look(): Promise<void> {
    const rondo = backend();
    if (rondo === undefined || chat()?.isLost === true) return;
    entries = await rondo.sessions({});
    changed();
    // Only the start screen has rows.
    if (chat()?.hasHistory === true) return;
    if (needing().length > 0)
      asked = new Map(
        (await openRequests(rondo)).map(({ session, question }) => [session, effectHeading(question)]),
      );
    for (const { session, updatedAt } of recent()) {
      if (said.get(session)?.at === updatedAt) continue;
      const { items } = await (await rondo.open(session)).transcript({ limit: lastItems });
      const last = items.findLast((item) => item.type === 'message' || item.type === 'agent-message');
      const text = last !== undefined && 'text' in last ? previewOf(last.text ?? '') : '';
      said.set(session, { at: updatedAt, text: replyEnd(text) });
    }
    changed();
  }
  // A lookup that fails is repeated. The chat itself shows a lost connection.
  const lookQuietly = () => void look().catch(() => undefined);

  const others = () => {
    const current = chat()?.view.session;
    return entries.filter(({ session, parent }) => session !== current && parent === undefined);
  };
  const needing = () => others().filter(({ questions }) => questions > 0);
  const recent = () => {
    const cwd = chat()?.view.status?.cwd;
    return others()
      .filter((entry) => entry.cwd === cwd && entry.turns > 0)
      .toSorted((a, b) => sessionRankOf(a) - sessionRankOf(b) || b.updatedAt - a.updatedAt)
      .slice(0, mostRecent);
  };

  return {
    get waiting() {
      return needing().length;
    },
    get recent() {
      const branch = chat()?.branch;
      return recent().map((entry) => ({
        entry,
        branch,
        words: asked.get(entry.session) ?? said.get(entry.session)?.text ?? '',
      }));
    },
    get total() {
      return others().length;
    },
    get folder() {
      return folder;
    },
    get model() {
      return models[0];
    },
    get models() {
      return models;
    },
    begin() {
      lookQuietly();
      timer = setInterval(lookQuietly, everyMs);
      timer.unref();
      const rondo = backend();
      const read = async <Value>(reading: Promise<Value> | undefined, take: (value: Value) => void) => {
        if (reading === undefined) return;
        take(await reading);
        changed();
      };
      // Without them, the screen shows less.
      read(rondo?.models(), (found) => (models = found)).catch(() => undefined);
      // Starts processes, which must not take the first keys' time.
      later = setTimeout(() => {
        read(rondo?.folder(chat()?.view.status?.cwd ?? ''), (facts) => (folder = facts)).catch(() => undefined);
      }, settledMs);
      later.unref();
    },
    close() {
      clearInterval(timer);
      clearTimeout(later);
    },
  };
}
