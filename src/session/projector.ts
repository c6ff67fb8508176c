/** What the directory, the inbox of questions and the index of due times show, written with the events. */
import type { Projection, QuestionEntry } from '../journal/journal.ts';
import type { Recorded } from '../kernel/event.ts';
import { questionIdOf } from '../kernel/ids.ts';
import type { State } from '../kernel/state.ts';
import { directoryEntryOf } from '../views/directory.ts';

export interface Projector {
  project(next: State, events: readonly Recorded[]): Projection;
  /** The last projection is on disk. */
  wrote(): void;
}

export function createProjector(opened: State): Projector {
  let writtenDue = earliest(opened);
  let due = writtenDue;
  return {
    project(next, events) {
      due = earliest(next);
      const asked = events.flatMap((recorded) => openedQuestion(next, recorded));
      const closed = events.flatMap(({ event }) =>
        event.type === 'question-answered' || event.type === 'question-closed' ? [event.question] : [],
      );
      return {
        entry: directoryEntryOf(next),
        ...(asked.length > 0 && { questionsOpened: asked }),
        ...(closed.length > 0 && { questionsClosed: closed }),
        ...(due !== writtenDue && { due }),
      };
    },
    wrote() {
      writtenDue = due;
    },
  };
}

function earliest(state: State): number | null {
  return state.waits.reduce<number | null>(
    (least, { until }) => (least === null ? until : Math.min(least, until)),
    null,
  );
}

function openedQuestion(state: State, { event, seq, at }: Recorded): readonly QuestionEntry[] {
  if (event.type !== 'question-opened') return [];
  const { about } = event;
  return [
    {
      id: questionIdOf(state.id, seq),
      session: state.id,
      openedAt: at,
      type: about.type,
      about: JSON.stringify(about),
    },
  ];
}
