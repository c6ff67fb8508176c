/** What the clients of a simulation requested, which answers they received, and whether the journal agrees. */
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { ClientInput } from '../session/client-input.ts';
import type { Receipt } from '../session/receipt.ts';

/** Each operation has its own actor, by which the journal shows its outcome. */
export interface SimulatedOperation {
  readonly name: string;
  readonly session: SessionId;
  readonly input: ClientInput;
  /** Every answer that reached the client, including repeats under the same key. */
  readonly receipts: Receipt[];
}

export function operationProblems(
  operations: readonly SimulatedOperation[],
  events: readonly Recorded[],
): readonly string[] {
  const byActor = Map.groupBy(events, ({ by }) => by.name);
  return operations.flatMap((operation) => {
    const caused = byActor.get(operation.name) ?? [];
    return [...lostOrDoubled(operation, caused), ...wrongReceipts(operation, caused)].map(
      (problem) => `${operation.name} (${operation.input.type}) ${problem}`,
    );
  });
}

function lostOrDoubled({ input, receipts }: SimulatedOperation, caused: readonly Recorded[]): readonly string[] {
  const isAccepted = receipts.some(({ type }) => type === 'accepted');
  const isRefused = receipts.length > 0 && receipts.every(({ type }) => type === 'refused');
  const main = caused.filter(({ event }) => event.type === mainEvent[input.type]);
  const problems: string[] = [];
  if (isAccepted && main.length === 0 && mustLeaveTrace(input)) problems.push('[P1] was acknowledged and is lost');
  if (main.length > 1) problems.push(`[P1] was recorded ${main.length} times`);
  if (isRefused && caused.length > 0 && !mayBeOwnRepeat(receipts))
    problems.push(`was refused and is recorded at ${caused[0]?.seq}`);
  return problems;
}

/**
 * An input delivered twice, because its receipt was lost, may find itself already applied or the session closed.
 * Only an append can look up a key in the journal, so the repeat is refused.
 */
function mayBeOwnRepeat(receipts: readonly Receipt[]): boolean {
  const codes = receipts.flatMap((receipt) => (receipt.type === 'refused' ? [receipt.refusal.code] : []));
  return codes.every((code) => code === 'conflict' || code === 'not-found' || code === 'closed');
}

/** A receipt names the first event that the input caused; the same key gives the same receipt. */
function wrongReceipts({ input, receipts }: SimulatedOperation, caused: readonly Recorded[]): readonly string[] {
  if (!mustLeaveTrace(input)) return [];
  return receipts.flatMap((receipt) => {
    if (receipt.type === 'refused' || caused.some(({ seq }) => seq === receipt.seq)) return [];
    return [`was told event ${receipt.seq}, which is not its own`];
  });
}

/** Interrupting or closing something that doesn't run leaves no trace. */
function mustLeaveTrace({ type }: ClientInput): boolean {
  return type !== 'interrupt' && type !== 'close';
}

const mainEvent: Readonly<Record<ClientInput['type'], Recorded['event']['type']>> = {
  chat: 'prompt-received',
  task: 'prompt-received',
  tasks: 'prompt-received',
  compact: 'prompt-received',
  rewind: 'rewound',
  restore: 'restore-intended',
  answer: 'question-answered',
  interrupt: 'turn-interrupted',
  'retry-now': 'wait-ended',
  queue: 'queue-changed',
  agent: 'agent-changed',
  'agent-setting': 'agent-setting-chosen',
  title: 'title-changed',
  mode: 'mode-changed',
  policy: 'policy-changed',
  rules: 'policy-changed',
  limits: 'limits-changed',
  worker: 'worker-reported',
  verdict: 'verdict-reached',
  continue: 'session-continued',
  close: 'session-closed',
  // A handler decides how it is recorded; the simulation registers none.
  custom: 'custom',
};
