/**
 * Checks the jobs of a simulation.
 *
 * 1. A job runs in one place at a time, and is taken from its owner only if the owner is gone.
 * 2. A job ends once. A dead-lettered job really lost that many processes, by their death: no clock step and no
 *    suspension makes a dead letter.
 * 3. A job that ends, ends its turn.
 * 4. A job or a turn times out no earlier than after its time, whatever the clock shows.
 * 5. A child's job is cancelled for its parent only if the parent's turn was interrupted or the parent was closed.
 */
import { hasEnded } from '../journal/job-queue-state.ts';
import type { JobQueue, JobRow } from '../ports/job-queue.ts';
import type { Recorded } from '../kernel/event.ts';
import { Fault } from '../kernel/fault.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import type { SimulationCounts } from './simulation-counts.ts';

/** State of a process. `left` means that it closed in order and released its jobs. */
export type Health = 'well' | 'lapsed' | 'dead' | 'left';

/** Number of lost processes after which a simulated job becomes a dead letter. */
export const mostLostAttempts = 2;

export interface JobLog {
  /** `uptime`: when the filing was requested, from which its time counts. */
  filed(rows: readonly JobRow[], uptime: number): void;
  /** A process claims a job. Call before the queue does, and the result with what it got. */
  claiming(): (row: JobRow) => void;
  /** A process releases all its jobs in order. Call before the queue does. */
  released(owner: string): void;
  ended(rows: readonly JobRow[]): void;
  /** A tool of a job starts to run. Returns a function that ends it. */
  runs(marker: string, where: Place): () => void;
  /** All problems once everything is idle. */
  problems(queue: JobQueue, journals: ReadonlyMap<SessionId, readonly Recorded[]>): Promise<readonly string[]>;
}

interface Place {
  readonly session: SessionId;
  readonly epoch: number;
}

interface JobLogParts {
  readonly problems: string[];
  readonly counts: SimulationCounts;
  readonly ticks: () => number;
  readonly healthOf: (owner: string) => Health;
  /** When an event was committed. */
  readonly committedAt: (session: SessionId, seq: number) => number;
}

export function createJobLog({ problems, counts, ticks, healthOf, committedAt }: JobLogParts): JobLog {
  const owners = new Map<JobId, string>();
  const filings = new Map<JobId, { readonly uptime: number; readonly row: JobRow }>();
  const deaths = new Map<JobId, number>();
  const endings = new Map<JobId, { readonly text: string; readonly at: number }>();
  const running = new Map<string, Set<Place>>();

  function gaveUp({ id, lostAttempts }: JobRow): void {
    counts.deadLetters += 1;
    const owner = owners.get(id);
    const died = (deaths.get(id) ?? 0) + (owner !== undefined && healthOf(owner) === 'dead' ? 1 : 0);
    if (died < mostLostAttempts)
      problems.push(`[O12] ${id} was given up after ${lostAttempts} lost attempts and ${died} deaths`);
  }

  function checkTimeOut({ id, ending }: JobRow): void {
    const filed = filings.get(id);
    // A turn may also reach its own limit.
    if (ending?.type !== 'timed-out' || !ending.message?.includes('deadline') || filed === undefined) return;
    const { deadline = 0, filedAt } = filed.row;
    const taken = Math.ceil(ticks() - filed.uptime);
    if (taken < deadline - filedAt)
      problems.push(`[O5] ${id} timed out after ${taken} ms of ${deadline - filedAt} ms`);
  }

  return {
    filed(rows, uptime) {
      for (const row of rows) if (!filings.has(row.id)) filings.set(row.id, { uptime, row });
    },
    claiming() {
      // A lapsed owner is well again the moment that it learns what it lost, which may be before the claimant's answer.
      const healths = new Map(owners.values().map((owner) => [owner, healthOf(owner)]));
      return (row) => {
        const before = owners.get(row.id);
        const health = before === undefined ? 'left' : (healths.get(before) ?? healthOf(before));
        if (health === 'dead') deaths.set(row.id, (deaths.get(row.id) ?? 0) + 1);
        if (health !== 'left') counts.jobsLost += 1;
        if (health === 'well' && before !== row.owner && row.resume === undefined)
          problems.push(`[O12] ${row.owner} took ${row.id} from ${before}, which was well`);
        if (row.owner !== undefined) owners.set(row.id, row.owner);
      };
    },
    released(owner) {
      for (const [job, other] of owners) if (other === owner) owners.delete(job);
    },
    ended(rows) {
      for (const row of rows) {
        if (!hasEnded(row.state)) continue;
        const text = JSON.stringify([row.state, row.ending]);
        const before = endings.get(row.id);
        if (before === undefined) {
          endings.set(row.id, { text, at: ticks() });
          counts.jobsEnded += 1;
          checkTimeOut(row);
          if (row.dead === true) gaveUp(row);
        } else if (before.text !== text) problems.push(`[O12] ${row.id} ended as ${before.text} and as ${text}`);
      }
    },
    runs(marker, place) {
      const places = running.get(marker) ?? new Set();
      running.set(marker, places);
      for (const { session, epoch } of places) {
        if (session === place.session && epoch === place.epoch) continue;
        problems.push(
          `[O12] ${marker} runs in ${place.session} epoch ${place.epoch} and in ${session} epoch ${epoch}`,
        );
      }
      places.add(place);
      return () => void places.delete(place);
    },
    async problems(queue, journals) {
      const rows = await queue.jobs({ which: 'all' });
      const times = Map.groupBy(rows, ({ prompt }) => prompt);
      // A parent whose context was cut may make the same request again; then the text doesn't identify one job.
      const named = rows.filter(({ prompt }) => times.get(prompt)?.length === 1);
      return [
        ...rows.filter(({ state }) => !hasEnded(state)).map(({ id, state }) => `[O12] ${id} is still ${state}`),
        ...named.flatMap((row) => turnProblems(row, endings.get(row.id)?.at ?? 0, { journals, committedAt })),
        ...rows.flatMap((row) => wronglyCancelled(row, journals)),
        ...earlyTimeOuts({ journals, committedAt }),
      ];
    },
  };
}

/** Letters, slow disks and hand-overs can delay the end of a turn after its job has ended. */
const graceMs = 15_000;

interface Journals {
  readonly journals: ReadonlyMap<SessionId, readonly Recorded[]>;
  readonly committedAt: JobLogParts['committedAt'];
}

/** No turn of a job completes long after its job has ended. */
function turnProblems(
  { id, prompt, state }: JobRow,
  endedAt: number,
  { journals, committedAt }: Journals,
): readonly string[] {
  return [...journals].flatMap(([session, events]) =>
    turnsOf(events, prompt).flatMap((turn) => {
      if (turn.event.type !== 'turn-ended' || turn.event.ending.type !== 'completed') return [];
      const late = Math.round(committedAt(session, turn.seq) - endedAt);
      if (late <= graceMs) return [];
      return [
        `[O12] ${id} ended as ${state}, and its turn in ${session} completed ${late} ms later at ${turn.seq}`,
      ];
    }),
  );
}

/** No turn reaches its time limit early, whichever processes ran it and however the clock was set. */
function earlyTimeOuts({ journals, committedAt }: Journals): readonly string[] {
  return [...journals].flatMap(([session, events]) => {
    let armed: { readonly at: number; readonly ms: number } | undefined;
    return events.flatMap(({ seq, at, event }) => {
      if (event.type === 'turn-started') armed = undefined;
      if (event.type === 'wait-intended' && event.why === 'wall-time')
        armed = { at: committedAt(session, seq), ms: event.until - at };
      const isTimedOut = event.type === 'turn-interrupted' && event.ending.type === 'timed-out';
      if (!isTimedOut || armed === undefined) return [];
      const taken = Math.ceil(committedAt(session, seq) - armed.at);
      return taken >= armed.ms - graceMs ? [] : [`[O5] ${session} timed out after ${taken} of ${armed.ms} ms`];
    });
  });
}

/** Ends of the turns that took a prompt of the job. */
function turnsOf(events: readonly Recorded[], text: string): readonly Recorded[] {
  const prompts = new Set(
    events.flatMap(({ seq, event }) => {
      const isMine =
        event.type === 'prompt-received' && event.request.type === 'chat' && event.request.text === text;
      return isMine ? [seq] : [];
    }),
  );
  let isMine = false;
  return events.filter(({ event }) => {
    if (event.type === 'turn-started') isMine = prompts.has(event.prompt);
    if (event.type === 'prompt-joined') isMine ||= prompts.has(event.prompt);
    return event.type === 'turn-ended' && isMine;
  });
}

function wronglyCancelled({ id, parent, ending }: JobRow, journals: Journals['journals']): readonly string[] {
  const events = parent === undefined ? undefined : journals.get(parent);
  if (ending?.type !== 'cancelled' || events === undefined) return [];
  if (ending.reason !== 'the session it works for was interrupted') return [];
  const isOver = events.some(({ event }) => event.type === 'turn-interrupted' || event.type === 'session-closed');
  return isOver ? [] : [`[O7] ${id} was cancelled although nobody interrupted ${parent}`];
}

/** Prompts of jobs carry a name that their tools repeat. */
export function jobMarkerIn(text: string): string | undefined {
  return /"job":"([\w-]+)/.exec(text)?.[1];
}

/** One process's view of the queue: watched, with faults and deaths at its writes. */
export function watchedQueue(
  queue: JobQueue,
  { log, self }: { readonly log: JobLog; readonly self: string },
  faults: {
    /** Waits, fails or dies at random. */
    readonly before: () => Promise<void>;
    readonly after: <Value>(value: Value) => Promise<Value>;
  },
): JobQueue {
  const write = async <Value>(work: () => Promise<Value>, note: (value: Value) => void): Promise<Value> => {
    await faults.before();
    const value = await work();
    note(value);
    return faults.after(value);
  };
  return {
    ...queue,
    file: (jobs, options) =>
      write(
        () => queue.file(jobs, options),
        (answer) => {
          if (answer.type !== 'filed') return;
          log.filed(answer.jobs, options.uptime);
          log.ended(answer.jobs);
        },
      ),
    claim(...given) {
      let claimed: ((row: JobRow) => void) | undefined;
      return write(
        () => {
          claimed = log.claiming();
          return queue.claim(...given);
        },
        ({ job, ended }) => {
          log.ended(ended);
          if (job !== undefined) claimed?.(job);
        },
      );
    },
    note: (...given) =>
      write(
        () => queue.note(...given),
        () => undefined,
      ),
    release: () =>
      write(
        () => {
          log.released(self);
          return queue.release();
        },
        () => undefined,
      ),
    settle: (...given) =>
      write(
        () => queue.settle(...given),
        (answer) => answer.type === 'settled' && log.ended(answer.ended),
      ),
    cancel: (...given) =>
      write(
        () => queue.cancel(...given),
        (answer) => answer.type === 'ended' && log.ended(answer.ended),
      ),
    resolve: (...given) =>
      write(
        () => queue.resolve(...given),
        () => undefined,
      ),
  };
}

export const queueFault = () => new Fault('disk-full', 'The simulated disk is full; the queue wrote nothing.');
