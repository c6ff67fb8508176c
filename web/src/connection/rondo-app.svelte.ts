/** State shared by all screens: the connection, the sessions, and the open questions. */
import { createClient, type Client, type ConnectionState, type WireQuestion } from '../../../src/client/client.ts';
import type { WireAnswer, WireCreate, WireInput } from '../../../src/protocol/input-schema.ts';
import { directoryWith, type Directory } from '../home/directory.ts';
import { createLiveSessions, type LiveSessions } from '../session/live-session.svelte.ts';
import { createToasts, type Toasts } from '../shell/toasts.svelte.ts';
import { fetchApi } from './api.ts';
import { bearer, renew } from './bearer.ts';
import { isLarge, sendLarge } from './send-large.ts';
import type { Identity } from './sign-in.ts';

export interface RondoApp {
  readonly client: Client;
  readonly who: Identity;
  readonly connection: ConnectionState;
  /** When the server was last reachable. */
  readonly lastOpen: number | undefined;
  readonly directory: Directory;
  readonly isDirectoryKnown: boolean;
  readonly questions: readonly WireQuestion[];
  /** True once the server has sent the open questions. */
  readonly areQuestionsKnown: boolean;
  readonly sessions: LiveSessions;
  readonly toasts: Toasts;
  /** The current time, updated every second. */
  readonly now: number;
  create(session: WireCreate): Promise<string | undefined>;
  /** False if the server refused it. The user has seen why. */
  send(session: string, input: WireInput): Promise<boolean>;
  answer(question: string, answer: WireAnswer): Promise<boolean>;
  stop(session: string): Promise<boolean>;
  reconnect(): void;
}

export interface RondoAppOptions {
  readonly who: Identity;
  /** Called when the server no longer knows this browser. */
  readonly onSignedOut: (why: string) => void;
}

export function createRondoApp({ who, onSignedOut }: RondoAppOptions): RondoApp {
  let connection = $state.raw<ConnectionState>({ type: 'connecting', attempt: 1 });
  let lastOpen = $state<number>();
  let directory = $state.raw<Directory>(new Map());
  let isDirectoryKnown = $state(false);
  let questions = $state.raw<readonly WireQuestion[]>([]);
  let areQuestionsKnown = $state(false);
  let now = $state(Date.now());
  const toasts = createToasts();

  const client = createClient({
    url: location.origin,
    name: 'web',
    token: freshBearer,
    fetch: fetchApi,
    onConnection(state) {
      connection = state;
      if (state.type === 'open') lastOpen = Date.now();
      if (state.type === 'closed' && state.code === 'UNAUTHORIZED') onSignedOut(state.why);
    },
  });
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

  async function told(what: string, doing: Promise<unknown>): Promise<boolean> {
    try {
      await doing;
      return true;
    } catch (error) {
      toasts.add({ tone: 'bad', title: what, text: (error as Error).message });
      return false;
    }
  }

  return {
    client,
    who,
    get connection() {
      return connection;
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
    get now() {
      return now;
    },
    sessions: createLiveSessions(client),
    toasts,
    async create(session) {
      let made: string | undefined;
      await told(
        "Can't create the session",
        client.create(session).then((created) => (made = created.session)),
      );
      return made;
    },
    send: (session, input) =>
      told(
        'The session refused the input',
        isLarge(input) ? sendLarge(session, input) : client.send(session, input),
      ),
    answer: (question, answer) => told('Answer not accepted', client.answer(question, answer)),
    stop: (session) => told("Can't end the session", client.stop(session, 'ended from the web app')),
    reconnect: () => location.reload(),
  };
}

/** Renewed per connection: a restarted server doesn't know earlier bearers. */
async function freshBearer(): Promise<string | undefined> {
  const renewed = await renew();
  if (renewed.type === 'unreachable') throw new Error(renewed.why);
  return renewed.type === 'given' ? renewed.given.bearer : bearer();
}
