/**
 * The floor: the least code that does the work correctly. A fold over events, a listener that receives each delta
 * as it arrives and, if durable, a commit before each effect and at the end.
 */
import { foldFloor, newFloorState, type FloorCall, type FloorEvent, type FloorRecord } from './floor-event.ts';
import { openFloorStore, type FloorStore } from './floor-store.ts';
import type { TurnRuntime, TurnSession } from './turn-runtime.ts';
import { deltas, toolArguments, toolName, type TurnWork } from './turn-work.ts';

type FloorOptions =
  | { readonly keeps: 'nothing' }
  /** `each-step`: four commits per turn. `groups`: all sessions share one transaction per turn of the event loop. */
  | { readonly keeps: 'each-step' | 'groups'; readonly file: string }
  | { readonly keeps: 'elsewhere'; readonly keeper: Keeper };

type Chunk = { readonly call: FloorCall } | { readonly delta: string };

/** Stores events and resolves when they are on disk. Undefined if there is nothing to wait for. */
export interface Keeper extends Disposable {
  add(record: FloorRecord): void;
  barrier(): Promise<void> | undefined;
}

export function createFloorRuntime(options: FloorOptions, work: TurnWork): TurnRuntime {
  const keeper = keeperFor(options);
  let sessions = 0;
  return {
    openSession() {
      sessions += 1;
      return Promise.resolve(createFloorSession(`s${process.pid}-${sessions}`, keeper, work));
    },
    [Symbol.asyncDispose]() {
      keeper[Symbol.dispose]();
      return Promise.resolve();
    },
  };
}

function createFloorSession(session: string, keeper: Keeper, work: TurnWork): TurnSession {
  const state = newFloorState();

  function emit(event: FloorEvent): void {
    state.seq += 1;
    if (event.type !== 'delta') keeper.add({ ...event, seq: state.seq, session, at: Date.now() });
    foldFloor(state, event);
  }

  async function* callModel(): AsyncGenerator<Chunk> {
    await work.modelAnswers();
    if (state.messages.at(-1)?.role === 'user') {
      yield { call: { id: work.nextCallId(), name: toolName, args: toolArguments } };
    } else {
      for (const delta of deltas) yield { delta };
    }
  }

  return {
    async turn(text, onDelta) {
      emit({ type: 'user', text });
      for (;;) {
        emit({ type: 'model-start' });
        const intended = keeper.barrier();
        if (intended !== undefined) await intended;
        let call: FloorCall | undefined;
        let reply = '';
        for await (const chunk of callModel()) {
          if ('call' in chunk) {
            call = chunk.call;
          } else {
            reply += chunk.delta;
            emit({ type: 'delta', text: chunk.delta });
            onDelta(chunk.delta);
          }
        }
        if (call === undefined) {
          emit({ type: 'assistant', text: reply });
          emit({ type: 'turn-end' });
          const ended = keeper.barrier();
          if (ended !== undefined) await ended;
          return reply;
        }
        emit({ type: 'tool-call', call });
        emit({ type: 'tool-start', id: call.id });
        const started = keeper.barrier();
        if (started !== undefined) await started;
        JSON.parse(call.args);
        emit({ type: 'tool-result', id: call.id, text: work.runTool() });
      }
    },
    close: () => Promise.resolve(),
  };
}

function keeperFor(options: FloorOptions): Keeper {
  switch (options.keeps) {
    case 'nothing':
      return { add: () => undefined, barrier: () => undefined, [Symbol.dispose]: () => undefined };
    case 'each-step':
      return createStepKeeper(openFloorStore(options.file, 'clustered'));
    case 'elsewhere':
      return options.keeper;
    case 'groups':
      return createGroupKeeper(openFloorStore(options.file, 'appended'));
  }
}

function createStepKeeper(store: FloorStore): Keeper {
  let batch: FloorRecord[] = [];
  return {
    add: (record) => void batch.push(record),
    barrier() {
      writeAll(store, batch);
      batch = [];
      return undefined;
    },
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function createGroupKeeper(store: FloorStore): Keeper {
  let batch: FloorRecord[] = [];
  let waiters: (() => void)[] = [];
  const flush = () => {
    const listeners = waiters;
    waiters = [];
    writeAll(store, batch);
    batch = [];
    for (const tell of listeners) tell();
  };
  return {
    add: (record) => void batch.push(record),
    barrier: () =>
      new Promise((resolve) => {
        if (waiters.length === 0) setImmediate(flush);
        waiters.push(resolve);
      }),
    [Symbol.dispose]: () => store[Symbol.dispose](),
  };
}

function writeAll(store: FloorStore, records: readonly FloorRecord[]): void {
  store.begin();
  for (const record of records) store.append(record.session, record.seq, JSON.stringify(record));
  store.commit();
}
