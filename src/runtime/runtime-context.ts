import type { SessionId } from '../kernel/ids.ts';

/**
 * What everything done for a session has in common. A child inherits it and is cancelled with its
 * parent; cancelling a child leaves the parent alone.
 */
export interface RuntimeContext {
  readonly trace: string;
  readonly session: SessionId;
  readonly agent: string;
  readonly cwd: string;
  readonly roots: readonly string[];
  readonly signal: AbortSignal;
  cancel(reason?: string): void;
  child(overrides?: Partial<Pick<RuntimeContext, 'agent' | 'cwd' | 'roots'>>): RuntimeContext;
  /** The work is over: the parent need not hold it any longer. */
  release(): void;
}

type Facts = Pick<RuntimeContext, 'trace' | 'session' | 'agent' | 'cwd' | 'roots'>;

export function createRuntimeContext(facts: Facts, onRelease: () => void = () => undefined): RuntimeContext {
  const controller = new AbortController();
  const children = new Set<RuntimeContext>();
  const cancel = (reason?: string) => {
    if (controller.signal.aborted) return;
    controller.abort(reason);
    for (const child of children) child.cancel(reason);
  };
  return {
    ...facts,
    signal: controller.signal,
    cancel,
    child(overrides = {}) {
      const child = createRuntimeContext({ ...facts, ...overrides }, () => children.delete(child));
      children.add(child);
      if (controller.signal.aborted) child.cancel();
      return child;
    },
    release: onRelease,
  };
}
