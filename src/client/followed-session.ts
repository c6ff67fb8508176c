/**
 * One followed session across any number of connections. It tracks the position in the journal and in streamed
 * text, so that the listener gets everything once.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { ServerMessage, WireEvent, WireProgress, WireView } from '../protocol/server-message.ts';
import type { DataState } from './connection-state.ts';

/** What a follower receives: a snapshot or a gap, then events by sequence and streamed text. */
export type SessionUpdate =
  | { readonly type: 'snapshot'; readonly seq: number; readonly view: WireView }
  | WireEvent
  | WireProgress
  | { readonly type: 'gap'; readonly from: number; readonly to: number };

/** Receives everything in a followed session, once and in order. */
export interface FollowListener {
  readonly update: (update: SessionUpdate) => void;
  readonly state?: (state: DataState) => void;
  /** The session doesn't exist, or this client may not follow it. */
  readonly problem?: (problem: { readonly code: string; readonly message: string }) => void;
}

export interface FollowedSession {
  readonly id: SessionId;
  readonly seq: number | undefined;
  readonly state: DataState;
  take(message: ServerMessage): void;
  asked(): void;
  cutOff(): void;
  problem(problem: { readonly code: string; readonly message: string }): void;
}

export function createFollowedSession(
  id: SessionId,
  after: number | undefined,
  listener: FollowListener,
): FollowedSession {
  let seq = after;
  let state: DataState = 'catching-up';
  const heard = new Map<string, number>();
  const become = (next: DataState) => {
    if (state === next) return;
    state = next;
    listener.state?.(next);
  };

  function progressed(progress: WireProgress): void {
    if (progress.kind === 'status') return listener.update(progress);
    const key = `${progress.effect}/${progress.attempt}/${progress.kind}`;
    const had = heard.get(key) ?? 0;
    const end = progress.offset + progress.text.length;
    if (end <= had) return;
    heard.set(key, end);
    const isFresh = progress.offset >= had;
    listener.update(
      isFresh ? progress : { ...progress, offset: had, text: progress.text.slice(had - progress.offset) },
    );
  }

  return {
    id,
    get seq() {
      return seq;
    },
    get state() {
      return state;
    },
    take(message) {
      switch (message.type) {
        case 'snapshot':
          ({ seq } = message);
          heard.clear();
          for (const { effect, attempt, text, reasoning, output } of message.view.streaming) {
            heard.set(`${effect}/${attempt}/text`, text.length);
            heard.set(`${effect}/${attempt}/reasoning`, reasoning.length);
            heard.set(`${effect}/${attempt}/output`, output.length);
          }
          listener.update({ type: 'snapshot', seq: message.seq, view: message.view });
          return become('current');
        case 'event':
          become('current');
          if (seq !== undefined && message.seq <= seq) return;
          ({ seq } = message);
          if (message.event.type === 'turn-ended') heard.clear();
          return listener.update(message);
        case 'progress':
          become('current');
          return progressed(message);
        case 'gap':
          return listener.update({ type: 'gap', from: message.from, to: message.to });
        case 'welcome':
        case 'ok':
        case 'error':
        case 'directory':
        case 'questions':
        case 'pong':
          return;
      }
    },
    asked: () => become('catching-up'),
    cutOff: () => become('stale'),
    problem: (problem) => listener.problem?.(problem),
  };
}
