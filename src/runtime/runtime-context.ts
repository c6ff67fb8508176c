import type { SessionId } from '../kernel/ids.ts';

/**
 * Shared context of all work for a session. A child inherits it and is cancelled with its parent. Cancelling a
 * child doesn't affect the parent.
 */
export interface RuntimeContext {
  /** Identifies the work in logs and traces: the unique id of the effect that started it. */
  readonly trace: string;
  readonly session: SessionId;
  readonly epoch: number;
  readonly agent: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
  cancel(reason?: string): void;
  child(overrides?: Partial<Pick<RuntimeContext, 'agent' | 'cwd' | 'roots'>>): RuntimeContext;
  /** Marks the work as done, so that the parent can drop it. */
  release(): void;
}

const nothing = () => undefined;

type Facts = Pick<RuntimeContext, 'trace' | 'session' | 'epoch' | 'agent' | 'cwd' | 'roots'>;

export function createRuntimeContext(facts: Facts, onRelease: () => void = nothing): RuntimeContext {
  const controller = new AbortController();
  let children: Set<RuntimeContext> | undefined;
  const cancel = (reason?: string) => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    for (const child of children ?? []) child.cancel(reason);
  };
  const { trace, session, epoch, agent, cwd, roots } = facts;
  return {
    trace,
    session,
    epoch,
    agent,
    cwd,
    roots,
    signal: controller.signal,
    cancel,
    child(overrides = {}) {
      const child = createRuntimeContext({ ...facts, ...overrides }, () => children?.delete(child));
      (children ??= new Set()).add(child);
      if (controller.signal.aborted) child.cancel();
      return child;
    },
    release: onRelease,
  };
}
