/** State shared by all screens: the connection, the sessions, and the open questions. */
import { createClient, type Client, type ConnectionState, type WireQuestion } from '../../../src/client/client.ts';
import type { DirectoryEntry } from '../../../src/views/directory.ts';
import type { Status } from '../../../src/views/status.ts';
import type { WireAnswer, WireCreate, WireInput } from '../../../src/protocol/input-schema.ts';
import { directoryWith, titleOf, type Directory } from '../home/directory.ts';
import { keepDraft } from '../session/drafts.ts';
import { createOutbox, isAbort, type Outbox } from '../session/outbox.svelte.ts';
import { createToasts, type Toasts } from '../shell/toasts.svelte.ts';
import { fetchApi, getApi } from './api.ts';
import { bearer, renew } from './bearer.ts';
import type { Identity } from './sign-in.ts';

export interface RondoApp {
  readonly client: Client;
  readonly who: Identity;
  readonly connection: ConnectionState;
  /** This device has no network: no need to wait until the server fails to answer. */
  readonly isOffline: boolean;
  /** When the server was last reachable. */
  readonly lastOpen: number | undefined;
  readonly directory: Directory;
  readonly isDirectoryKnown: boolean;
  readonly questions: readonly WireQuestion[];
  /** True once the server has sent the open questions. */
  readonly areQuestionsKnown: boolean;
  readonly outbox: Outbox;
  readonly toasts: Toasts;
  /** The current time, updated every second. */
  readonly now: number;
  create(session: WireCreate): Promise<string | undefined>;
  /** False if the server refused it. The user has seen why. */
  send(session: string, input: WireInput): Promise<boolean>;
  answer(question: string, answer: WireAnswer): Promise<boolean>;
  stop(session: string): Promise<boolean>;
  reconnect(): void;
  /** Grows with `changed`. Lists that depend on more than the directory read it. */
  readonly changes: number;
  /** A session's names. Loaded if the directory doesn't have the session. */
  named(session: string): SessionNames;
  /** Something besides the directory changed, such as marks. */
  changed(): void;
}

interface SessionNames {
  readonly title: string;
  readonly agent: string;
  readonly cwd: string;
  readonly parent?: string | undefined;
}

interface RondoAppOptions {
  readonly who: Identity;
  /** Called when the server no longer knows this browser. */
  readonly onSignedOut: (why: string) => void;
}

export function createRondoApp({ who: given, onSignedOut }: RondoAppOptions): RondoApp {
  let who = $state.raw<Identity>(given);
  let connection = $state.raw<ConnectionState>({ type: 'connecting', attempt: 1 });
  let isOffline = $state(!navigator.onLine);
  addEventListener('offline', () => (isOffline = true));
  addEventListener('online', () => (isOffline = false));
  let lastOpen = $state<number>();
  let directory = $state.raw<Directory>(new Map());
  let isDirectoryKnown = $state(false);
  let questions = $state.raw<readonly WireQuestion[]>([]);
  let areQuestionsKnown = $state(false);
  let now = $state(Date.now());
  let changes = $state(0);
  let learned = $state.raw<ReadonlyMap<string, Status>>(new Map());
  const toasts = createToasts();

  const client = createClient({
    url: location.origin,
    name: 'web',
    token: freshBearer,
    fetch: fetchApi,
    onConnection(state) {
      connection = state;
      if (state.type !== 'open') return ended(state);
      lastOpen = Date.now();
      outbox.opened();
      // A page that started without the server didn't know who it is.
      if (client.welcome !== undefined) who = { name: client.welcome.actor, role: client.welcome.role };
    },
  });
  function ended(state: ConnectionState): void {
    if (state.type === 'closed' && state.code === 'UNAUTHORIZED') onSignedOut(state.why);
  }
  client.followDirectory((message) => {
    directory = directoryWith(directory, message);
    isDirectoryKnown = true;
    lastOpen = Date.now();
  });
  client.followQuestions((open) => {
    questions = open;
    areQuestionsKnown = true;
  });
  setInterval(() => (now = Date.now()), 1000);
  const outbox = createOutbox(client, {
    prompt({ session, input }, why) {
      keepDraft(session, input.text);
      toasts.add({ tone: 'bad', title: 'A prompt was refused', text: why, path: `/s/${session}` });
    },
    answer: (_, why) => toasts.add({ tone: 'bad', title: 'Answer not accepted', text: why, path: '/inbox' }),
  });

  /** Old sessions that a question or a link names. */
  const asked = new Set<string>();
  async function learn(session: string): Promise<void> {
    if (asked.has(session)) return;
    asked.add(session);
    const answer = await getApi<Status>(`/sessions/${session}`);
    if (answer.type === 'ok') learned = new Map([...learned, [session, answer.value]]);
    else asked.delete(session);
  }
  function named(session: string): SessionNames {
    const known = directory.get(session) ?? learned.get(session);
    if (known === undefined) queueMicrotask(() => void learn(session));
    if (known === undefined) return { title: 'Session', agent: '', cwd: '' };
    const { agent, cwd, parent, title = '' } = known;
    return { title: titleOf({ title, session: session as DirectoryEntry['session'] }), agent, cwd, parent };
  }

  async function reported(what: string, doing: Promise<unknown>): Promise<boolean> {
    try {
      await doing;
      return true;
    } catch (error) {
      if (!isAbort(error)) toasts.add({ tone: 'bad', title: what, text: (error as Error).message });
      return false;
    }
  }

  return {
    client,
    get who() {
      return who;
    },
    get connection() {
      return connection;
    },
    get isOffline() {
      return isOffline;
    },
    get lastOpen() {
      return lastOpen;
    },
    get directory() {
      return directory;
    },
    get isDirectoryKnown() {
      return isDirectoryKnown;
    },
    get questions() {
      return questions;
    },
    get areQuestionsKnown() {
      return areQuestionsKnown;
    },
    get changes() {
      return changes;
    },
    changed: () => (changes += 1),
    named,
    get now() {
      return now;
    },
    outbox,
    toasts,
    async create(session) {
      let made: string | undefined;
      await reported(
        "Can't create the session",
        client.create(session).then((created) => (made = created.session)),
      );
      return made;
    },
    send: (session, input) =>
      reported(
        'The session refused the input',
        input.type === 'chat' ? outbox.send(session, input) : client.send(session, input),
      ),
    answer: (question, answer) => reported('Answer not accepted', outbox.answer(question, answer)),
    stop: (session) => reported("Can't end the session", client.stop(session, 'ended from the web app')),
    reconnect: () => location.reload(),
  };
}

/** Renewed per connection: a restarted server doesn't know earlier bearers. */
async function freshBearer(): Promise<string | undefined> {
  const renewed = await renew();
  if (renewed.type === 'unreachable') throw new Error(renewed.why);
  return renewed.type === 'given' ? renewed.given.bearer : bearer();
}
