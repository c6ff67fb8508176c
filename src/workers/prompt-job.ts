/**
 * Sends a job's prompt to its worker's session exactly once. The prompt's key contains the job's id, so that a
 * process that resumes after a crash finds the existing turn.
 */
import { hasEnded } from '../journal/job-queue-state.ts';
import type { JobRow, JobRun, Ticket, WorkerRow } from '../ports/job-queue.ts';
import { noSpending, spendingBetween, spendingOf } from '../kernel/budget.ts';
import type { Recorded } from '../kernel/event.ts';
import type { Spending } from '../kernel/outcome.ts';
import { turnOf } from '../kernel/state.ts';
import { namedIn } from '../session/mailbox/key-receipt.ts';
import type { Receipt } from '../session/receipt.ts';
import type { Session } from '../session/handle/session.ts';
import { limitsWithin } from './allotted.ts';
import { condensed } from './condense.ts';
import type { WorkerParts, WorkerSetup } from './worker-parts.ts';
import { optional } from '../kernel/optional.ts';

type Prompted =
  | { readonly type: 'prompted'; readonly session: Session; readonly run: JobRun }
  | { readonly type: 'refused'; readonly message: string }
  | { readonly type: 'lost' };

export async function promptJob(
  parts: WorkerParts,
  worker: WorkerRow,
  row: JobRow,
  how: 'start' | 'continue' | 'condense',
): Promise<Prompted> {
  const { queue, sessions, clock } = parts;
  const ticket: Ticket = { job: row.id, attempt: row.attempt };
  const before = row.run;
  if (before !== undefined && how !== 'start') await endHungTurn(parts, before);
  const session =
    how === 'condense' || worker.session === undefined
      ? await freshSession(parts, worker)
      : sessions.open(worker.session);
  const spentBefore = await spentBeforeIn(parts, session, before);
  const round = (before?.round ?? 0) + 1;
  const { allotment } = row;
  if (allotment !== undefined) {
    await session.send({ type: 'limits', limits: limitsWithin(allotment, spentBefore) }, { by: scheduler });
  }
  const text = before === undefined || how === 'start' ? row.prompt : await nextPrompt(parts, row, before, how);
  const sent = await session.send({ type: 'chat', text }, { by: scheduler, key: keyOf(row, round) });
  if (sent.type === 'refused') return { type: 'refused', message: sent.refusal.message };
  const startedAt = before?.startedAt ?? clock.now();
  const run: JobRun = { session: session.id, round, prompt: sent.seq, startedAt, spentBefore };
  const noted = await queue.note(ticket, { type: 'started', run });
  if (noted.type === 'noted') return { type: 'prompted', session, run };
  // If another process owns the job, the prompt is also its prompt and must not be stopped.
  if (hasEnded((await queue.job(row.id))?.state ?? 'cancelled')) await stopJob(parts, run, 'its job has ended');
  return { type: 'lost' };
}

const keyOf = ({ id }: JobRow, round: number) => `${id}/${round}`;

/** The newest run of a job that ends. A prompt that still waits in an inbox is withdrawn: it would start a turn later. */
export async function endingRun(parts: WorkerParts, row: JobRow): Promise<JobRun | undefined> {
  const session = (await parts.queue.worker(row.worker))?.session;
  if (session === undefined) return row.run;
  const key = keyOf(row, (row.run?.round ?? 0) + 1);
  for (const letter of await parts.inbox.take(session)) {
    if (letter.key === key) await parts.inbox.withdraw(letter.id, JSON.stringify(jobHasEnded));
  }
  return newestRun(parts, row);
}

const jobHasEnded: Receipt = { type: 'refused', refusal: { code: 'conflict', message: 'The job has ended.' } };

/** A job's newest prompt, including one that a process sent but didn't record before it died. */
async function newestRun({ queue, journal, clock }: WorkerParts, row: JobRow): Promise<JobRun | undefined> {
  const session = (await queue.worker(row.worker))?.session;
  const round = (row.run?.round ?? 0) + 1;
  const kept = session && (await journal.keyed(session, keyOf(row, round)));
  if (session === undefined || kept === undefined) return row.run;
  const { events } = await journal.read(session, { after: kept.seq - 1, limit: 1 });
  const { startedAt = clock.now(), spentBefore = noSpending } = row.run ?? {};
  return { session, round, prompt: namedIn(events)?.seq ?? kept.seq, startedAt, spentBefore };
}

const scheduler = { type: 'program', name: 'jobs' } as const;

async function freshSession({ queue, sessions }: WorkerParts, worker: WorkerRow): Promise<Session> {
  const { agent, model, parent, name } = worker;
  const { whenRestricted: _, ...request } = worker.setup as WorkerSetup;
  const session = await sessions.create({
    title: name,
    ...request,
    ...optional({ agent, model, parent }),
  });
  await session.persist();
  await queue.changeWorker(worker.id, { session: session.id });
  return session;
}

/**
 * Spending to subtract in this session. If the job moved to a fresh session, it already spent something elsewhere,
 * so this is negative.
 */
async function spentBeforeIn(
  { sessions }: WorkerParts,
  session: Session,
  before: JobRun | undefined,
): Promise<Spending> {
  if (before === undefined) return spendingOf(await sessions.state(session.id));
  if (before.session === session.id) return before.spentBefore;
  const used = spendingOf(await sessions.state(before.session));
  return spendingBetween(used, before.spentBefore);
}

async function nextPrompt(
  { sessions }: WorkerParts,
  row: JobRow,
  before: JobRun,
  how: 'continue' | 'condense',
): Promise<string> {
  if (how === 'continue') return 'Go on where you stopped.';
  const events: Recorded[] = [];
  const session = sessions.open(before.session);
  for (let after = before.prompt - 1; ;) {
    const page = await session.events({ after, limit: 1000 });
    events.push(...page.events);
    after = page.events.at(-1)?.seq ?? after;
    if (page.events.length === 0 || after >= page.last) return condensed(row.prompt, events);
  }
}

/** Attempts never overlap: the old turn ends before the next prompt. */
async function endHungTurn(parts: WorkerParts, run: JobRun): Promise<void> {
  const { isEnding } = await stopJob(parts, run, 'resumed');
  if (isEnding) await parts.sessions.open(run.session).wait({ whenAsked: 'wait' });
}

/** Stops only the job's own work. Another turn of the session continues. */
export async function stopJob(
  parts: WorkerParts,
  run: JobRun,
  reason: string,
): Promise<{ readonly isEnding: boolean }> {
  const session = parts.sessions.open(run.session);
  const state = await parts.sessions.state(run.session);
  const isEnding = turnOf(state)?.prompts.includes(run.prompt) === true;
  if (isEnding) {
    await session.send({ type: 'interrupt', reason }, { by: scheduler });
  } else if (state.queue.prompts.some(({ seq }) => seq === run.prompt)) {
    await session.send({ type: 'queue', change: { type: 'removed', prompt: run.prompt } }, { by: scheduler });
  }
  return { isEnding };
}
