/**
 * Web Push: tells subscribed browsers of new questions, also when no page is open. Keys are made at first use.
 *
 * 1. A subscription belongs to a registered browser and ends with it.
 * 2. Messages are encrypted for that browser; the push service sees only that there is one.
 * 3. A subscription that the push service no longer knows is removed.
 */
import { randomBytes } from 'node:crypto';

import { optional } from '../kernel/optional.ts';
import type { WireQuestion } from '../protocol/server-message.ts';
import { canBeUndone, effectText } from '../wording/effect-sentence.ts';
import type { Backend, ServerClock, ServerLogger } from './backend.ts';
import { authorization, encrypted, newVapidKeys, type PushTarget, type VapidKeys } from './push-message.ts';
import type { QuestionFeed } from './question-feed.ts';
import type { TokenFile, Tokens } from './tokens.ts';

interface Subscription extends PushTarget {
  readonly id: string;
  /** The registered browser. */
  readonly device: string;
  readonly createdAt: number;
}

export interface Push {
  publicKey(): Promise<string>;
  subscribe(target: PushTarget, device: string): Promise<string>;
  unsubscribe(endpoint: string): Promise<void>;
  close(): void;
}

interface PushParts {
  readonly file: TokenFile;
  readonly tokens: Pick<Tokens, 'find'>;
  readonly backend: Pick<Backend, 'sessions'>;
  readonly questions: QuestionFeed;
  readonly clock: ServerClock;
  readonly logger: ServerLogger;
}

interface Kept {
  readonly version: 1;
  readonly keys?: VapidKeys;
  readonly subscriptions: readonly Subscription[];
}

const most = 200;
const timeoutMs = 10_000;

export function createPush({ file, tokens, backend, questions, clock, logger }: PushParts): Push {
  let notified: ReadonlySet<string> = new Set();
  let leave: (() => void) | undefined;

  async function read(): Promise<Kept> {
    return keptIn(await file.read());
  }
  const drop = (endpoint: string) =>
    file.update((value) => {
      const kept = keptIn(value);
      return { ...kept, subscriptions: kept.subscriptions.filter((one) => one.endpoint !== endpoint) };
    });
  async function keys(): Promise<VapidKeys> {
    const { keys: had } = await read();
    if (had !== undefined) return had;
    const made = newVapidKeys();
    await file.update((value) => ({ ...keptIn(value), keys: keptIn(value).keys ?? made }));
    return (await read()).keys ?? made;
  }
  async function send(target: Subscription, text: string): Promise<void> {
    if ((await tokens.find(target.device)) === undefined && target.device !== 'owner')
      return drop(target.endpoint);
    try {
      const answer = await fetch(target.endpoint, {
        method: 'POST',
        headers: {
          authorization: authorization(await keys(), target.endpoint, clock.now()),
          'content-encoding': 'aes128gcm',
          'content-type': 'application/octet-stream',
          ttl: '3600',
          urgency: 'high',
        },
        body: new Uint8Array(encrypted(text, target)),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body?.cancel();
      if (answer.status === 404 || answer.status === 410) await drop(target.endpoint);
      else if (!answer.ok) throw new Error(`it answered ${answer.status}`);
    } catch (error) {
      logger.log('warn', "can't deliver a push message", { error: String(error) });
    }
  }
  async function tell(question: WireQuestion, count: number): Promise<void> {
    const { subscriptions } = await read();
    if (subscriptions.length === 0) return;
    const { entries } = await backend.sessions.list({ prefix: question.session, limit: 1 });
    const title = entries[0]?.title ?? '';
    const text = JSON.stringify({
      id: question.id,
      title: title === '' ? 'A session needs you' : title,
      body: effectText(question.about),
      canAllow: canBeUndone(question.about),
      isApproval: question.about.type === 'approval',
      count,
    });
    await Promise.all(subscriptions.map((target) => send(target, text)));
  }
  /** Watches while there is somebody to tell. Questions that are open at start were reported before. */
  async function watch(): Promise<void> {
    if (leave !== undefined) return;
    leave = questions.subscribe(({ questions: open }) => {
      const fresh = open.filter(({ id }) => !notified.has(id));
      notified = new Set([...notified, ...fresh.map(({ id }) => id)]);
      if (fresh.length > 0)
        void questions
          .all()
          .then((all) => Promise.all(fresh.map((question) => tell(question, all.length))))
          .catch((error: unknown) => logger.log('warn', "can't send push messages", { error: String(error) }));
    });
    notified = new Set((await questions.all()).map(({ id }) => id));
  }
  void read()
    .then(({ subscriptions }) => (subscriptions.length > 0 ? watch() : undefined))
    .catch((error: unknown) => logger.log('warn', "can't read push subscriptions", { error: String(error) }));

  return {
    publicKey: async () => (await keys()).publicKey,
    async subscribe(target, device) {
      const id = `psh_${randomBytes(8).toString('hex')}`;
      await file.update((value) => {
        const kept = keptIn(value);
        const others = kept.subscriptions.filter(({ endpoint }) => endpoint !== target.endpoint);
        return {
          ...kept,
          subscriptions: [...others, { ...target, id, device, createdAt: clock.now() }].slice(-most),
        };
      });
      await watch();
      return id;
    },
    unsubscribe: drop,
    close: () => leave?.(),
  };
}

/** A push service is reached over HTTPS. Plain HTTP is for one on this machine. */
export function isPushEndpoint(endpoint: string): boolean {
  const url = URL.canParse(endpoint) ? new URL(endpoint) : undefined;
  return (
    url?.protocol === 'https:' ||
    (url?.protocol === 'http:' && /^(127\.\d+\.\d+\.\d+|localhost|\[::1\])$/.test(url.hostname))
  );
}

function keptIn(value: unknown): Kept {
  const { keys, subscriptions } = (value ?? {}) as { readonly keys?: VapidKeys; readonly subscriptions?: unknown };
  return {
    version: 1,
    ...optional({ keys }),
    subscriptions: Array.isArray(subscriptions) ? (subscriptions as readonly Subscription[]) : [],
  };
}
