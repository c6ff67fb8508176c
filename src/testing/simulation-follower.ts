/** A client that follows a session, gets disconnected, and resumes, maybe on another process. */
import type { Recorded } from '../kernel/event.ts';
import type { EffectId, SessionId } from '../kernel/ids.ts';
import type { Update } from '../session/update.ts';
import type { SimulatedProcess } from './simulation-process.ts';
import type { SimulatedWorld } from './simulation-world.ts';

export interface SimulatedFollower {
  readonly name: string;
  readonly session: SessionId;
  readonly isConnected: boolean;
  /** The process it is connected to. */
  readonly process: SimulatedProcess | undefined;
  connect(process: SimulatedProcess): void;
  disconnect(): void;
  /** Compares what it received with the journal. */
  problems(journal: readonly Recorded[]): readonly string[];
}

export function createFollower(world: SimulatedWorld, name: string, session: SessionId): SimulatedFollower {
  const got: Recorded[] = [];
  const faults: string[] = [];
  const texts = new Map<string, string>();
  const attempts = new Map<EffectId, number>();
  let last: number | undefined;
  let connection: { readonly process: SimulatedProcess; readonly controller: AbortController } | undefined;

  async function listen(process: SimulatedProcess, controller: AbortController): Promise<void> {
    const handle = await process.rondo.sessions.open(session);
    const { signal } = controller;
    const from = last === undefined ? {} : { after: last };
    texts.clear();
    for await (const update of handle.follow({ ...from, signal })) {
      // Updates that a dead process still held never reached anyone.
      if (signal.aborted || !process.isAlive) return;
      world.counts.followed += 1;
      take(update, process);
      if (process.followerLimit < 10) await slowly(world);
    }
  }

  function take(update: Update, process: SimulatedProcess): void {
    switch (update.type) {
      case 'event': {
        const { seq, event } = update.recorded;
        if (last !== undefined && seq !== last + 1)
          faults.push(`got event ${seq} after ${last} from ${process.name}`);
        if (update.json !== JSON.stringify(event)) faults.push(`got event ${seq} with another text`);
        if (event.type === 'model-settled') checkText(event, process);
        if (event.type === 'effect-repeated') attempts.set(event.effect, event.attempt);
        got.push(update.recorded);
        last = seq;
        return;
      }
      case 'snapshot': {
        if (last !== undefined && update.seq < last)
          faults.push(`got a snapshot at ${update.seq} after event ${last}`);
        if (update.view.status.seq !== update.seq)
          faults.push(`got a snapshot at ${update.seq} of another moment`);
        texts.clear();
        for (const { effect, attempt, text } of update.view.streaming) texts.set(`${effect}/${attempt}`, text);
        last = update.seq;
        return;
      }
      case 'gap':
        if (update.from !== (last ?? 0) + 1) faults.push(`got a gap from ${update.from} after event ${last}`);
        if (process.followerLimit > 10) faults.push(`fell behind at ${update.from} although its queue is long`);
        return;
      case 'progress': {
        // An owner that slept may continue an abandoned attempt for a while, so clients compare the attempt.
        if (update.kind !== 'text' || update.attempt < (attempts.get(update.effect) ?? 1)) return;
        const key = `${update.effect}/${update.attempt}`;
        const before = texts.get(key) ?? '';
        if (update.offset !== before.length) {
          faults.push(`got text of ${key} at ${update.offset} when it had ${before.length}`);
        }
        texts.set(key, before + update.text);
        return;
      }
    }
  }

  /** Streamed text must equal recorded text. An owner stops sending it to a process that is stopped for long. */
  function checkText(
    { effect, outcome }: Extract<Recorded['event'], { type: 'model-settled' }>,
    { wasStopped }: SimulatedProcess,
  ): void {
    if (outcome.type !== 'completed' || typeof outcome.text !== 'string') return;
    const streamed = texts.get(`${effect}/${attempts.get(effect) ?? 1}`);
    if (streamed === undefined || (wasStopped && outcome.text.startsWith(streamed))) return;
    if (streamed !== outcome.text) {
      faults.push(`saw "${streamed}" streamed, and "${outcome.text}" was recorded for ${effect}`);
    }
  }

  return {
    name,
    session,
    get isConnected() {
      return connection !== undefined;
    },
    get process() {
      return connection?.process;
    },
    connect(process) {
      const own = { process, controller: new AbortController() };
      connection = own;
      void listen(process, own.controller).then(
        () => leave(own),
        () => leave(own),
      );
    },
    disconnect() {
      connection?.controller.abort();
      connection = undefined;
    },
    problems(journal) {
      const wrong = got.find((recorded) => JSON.stringify(recorded) !== JSON.stringify(journal[recorded.seq - 1]));
      const differs = wrong === undefined ? [] : [`got event ${wrong.seq} unlike the journal's`];
      return [...faults, ...differs].map((problem) => `[P5] ${session}: ${name} ${problem}`);
    },
  };

  function leave(own: typeof connection): void {
    if (connection === own) connection = undefined;
  }
}

function slowly({ clock, random }: SimulatedWorld): Promise<void> {
  return new Promise((resolve) => clock.at(clock.now() + random.whole(300), () => resolve()));
}
