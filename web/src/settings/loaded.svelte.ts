import { getApi } from '../connection/api.ts';

/** A list that a section loads when it opens, and again after a change. */
export interface Loaded<Value> {
  readonly value: Value | undefined;
  readonly problem: string | undefined;
  load(): Promise<void>;
}

export function loaded<Value>(path: string): Loaded<Value> {
  let value = $state.raw<Value>();
  let problem = $state<string>();
  async function load(): Promise<void> {
    const answer = await getApi<Value>(path);
    if (answer.type === 'ok') value = answer.value;
    problem = answer.type === 'ok' ? undefined : answer.message;
  }
  void load();
  return {
    get value() {
      return value;
    },
    get problem() {
      return problem;
    },
    load,
  };
}
