/**
 * A talk: one session served over one channel until it ends. Kinds of session differ only in their channel and
 * mode, so a program treats them all alike: `io`, the shared context, the result. The shared context never changes
 * during a run.
 */
import type { Result } from '../../views/result.ts';
import { serveIo, type Io } from './io.ts';
import type { Session } from '../handle/session.ts';

/** A session served over a channel, with the context that all of a program's talks share. */
export interface Talk<Channel extends Io = Io> {
  readonly session: Session;
  readonly io: Channel;
  readonly context: TalkContext;
  readonly exit: ExitState;
  /** Runs until the inputs end or the mode ends it. */
  run(): Promise<Result>;
}

/** The context that all of a program's talks share. */
export interface TalkContext {
  readonly config: Readonly<Record<string, unknown>>;
  readonly args: readonly string[];
  readonly security: Readonly<Record<string, unknown>>;
  readonly tools: readonly string[];
}

type ExitState =
  | { readonly type: 'not-started' }
  | { readonly type: 'running' }
  | { readonly type: 'over'; readonly result: Result };

const noContext: TalkContext = { config: {}, args: [], security: {}, tools: [] };

/** Connects a session to a channel. `run` serves the session over it. */
export function createTalk<Channel extends Io>(
  session: Session,
  io: Channel,
  context: Partial<TalkContext> = {},
): Talk<Channel> {
  const shared = frozen({ ...noContext, ...structuredClone(context) });
  let exit: ExitState = { type: 'not-started' };
  return {
    session,
    io,
    context: shared,
    get exit() {
      return exit;
    },
    async run() {
      exit = { type: 'running' };
      const result = await serveIo(session, io);
      exit = { type: 'over', result };
      return result;
    },
  };
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
