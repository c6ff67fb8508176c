/** Requests that the user put aside in this browser. The agents keep waiting. */
import { fieldsOf, jsonIn } from '../../../src/kernel/json-object.ts';

const key = 'rondo.snoozed';

interface Snoozed {
  /** Until when, or undefined if it isn't snoozed. */
  until(id: string, now: number): number | undefined;
  add(ids: readonly string[], until: number): void;
  remove(id: string): void;
}

export function createSnoozed(): Snoozed {
  let kept = $state.raw<Readonly<Record<string, number>>>(read());

  function save(next: Readonly<Record<string, number>>): void {
    kept = next;
    localStorage.setItem(key, JSON.stringify(next));
  }
  return {
    until(id, now) {
      const until = kept[id];
      return until !== undefined && until > now ? until : undefined;
    },
    add: (ids, until) => save({ ...current(), ...Object.fromEntries(ids.map((id) => [id, until])) }),
    remove: (id) => save(Object.fromEntries(Object.entries(kept).filter(([other]) => other !== id))),
  };

  function current(): Readonly<Record<string, number>> {
    return Object.fromEntries(Object.entries(kept).filter(([, until]) => until > Date.now()));
  }
}

function read(): Readonly<Record<string, number>> {
  return fieldsOf(jsonIn(localStorage.getItem(key) ?? '{}')) as Readonly<Record<string, number>>;
}
