import { RequestError } from '@agentclientprotocol/sdk';

import type { AgentHost } from './agent-host.ts';

/** Calls `cancel` if the client cancels its request. A client that only goes cancels nothing: a turn outlives it. */
export async function cancellable<Value>(
  signal: AbortSignal,
  { onProblem }: Pick<AgentHost, 'onProblem'>,
  cancel: () => Promise<void>,
  work: () => Promise<Value>,
): Promise<Value> {
  const aborted = () => {
    const reason: unknown = signal.reason;
    if (!(reason instanceof RequestError) || reason.code !== REQUEST_CANCELLED) return;
    cancel().catch((error: unknown) => onProblem(String(error)));
  };
  if (signal.aborted) aborted();
  signal.addEventListener('abort', aborted, { once: true });
  try {
    return await work();
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}

const REQUEST_CANCELLED = -32_800;
