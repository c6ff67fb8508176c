import path from 'node:path';

// The main entry point loads these on demand; loaded beforehand here, because imports aren't measured.
import '../../src/journal/sqlite/sqlite-store.ts';
import { createRondo, type Rondo } from '../../src/rondo.ts';
import { userText } from '../workload/turn-work.ts';
import type { OpeningTask, Reached } from './open-session.ts';
import { seededSession } from './seed-rondo.ts';

const messagesInTurn = 4;
/** A first screen is the newest page of the transcript, here of full length. */
const screenItems = 100;

export async function measureRondoOpening(task: OpeningTask): Promise<number> {
  const called = Promise.withResolvers<number>();
  const open = () => openRondo(task.folder, called.resolve);
  const running = task.opener === 'rondo-running' ? await open() : undefined;
  if (running !== undefined) await (await running.sessions.create()).persist();

  const started = performance.now();
  const found = await reach(running ?? (await open()), task.until, called.promise);
  const ms = performance.now() - started;
  const least = { ready: task.turns, 'model-call': task.turns * messagesInTurn + 1, 'first-screen': screenItems };
  if (found < least[task.until]) {
    throw new Error(`Rondo reached ${task.until} with ${found} instead of ${least[task.until]}.`);
  }
  return ms;
}

function openRondo(folder: string, onModelCall: (messages: number) => void): Promise<Rondo> {
  return createRondo({
    store: `sqlite:${path.join(folder, 'rondo.db')}`,
    agents: { bench: {} },
    models: {
      bench: {
        name: 'bench',
        call({ messages }) {
          onModelCall(messages.length);
          return new Promise(() => undefined);
        },
      },
    },
  });
}

/** Number of turns, messages or items, to show that the work was done. */
async function reach(rondo: Rondo, until: Reached, called: Promise<number>): Promise<number> {
  const session = await rondo.sessions.open(seededSession);
  switch (until) {
    case 'ready':
      return (await session.status()).usage.turns;
    case 'model-call':
      void session.chat(userText);
      return called;
    case 'first-screen':
      for await (const update of session.follow()) {
        if (update.type === 'snapshot') return update.view.transcript.items.length;
      }
      return 0;
  }
}
