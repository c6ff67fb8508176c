import type { Journal } from '../../ports/journal.ts';
import { seqOfEffect, type EffectId } from '../../kernel/ids.ts';
import type { State } from '../../kernel/state.ts';
import { doingIn } from '../../views/doing.ts';
import { statusOf, type Status } from '../../views/status.ts';

/** The status, with the start time of each effect in flight. An effect's id names the event that intended it. */
export async function readStatus(journal: Pick<Journal, 'read'>, state: State): Promise<Status> {
  const effects = doingIn(state).flatMap(({ effect }) => effect ?? []);
  if (effects.length === 0) return statusOf(state);
  const times = new Map<EffectId, number>();
  await Promise.all(
    effects.map(async (effect) => {
      const seq = seqOfEffect(effect);
      const [intent] = (await journal.read(state.id, { after: seq - 1, limit: 1 })).events;
      if (intent?.seq === seq) times.set(effect, intent.at);
    }),
  );
  return statusOf(state, (effect) => times.get(effect));
}
