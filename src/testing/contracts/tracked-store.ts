/**
 * A store that tracks positions: a suite states what to append, and the wrapper fills in the position that the
 * store last issued for the session. Answers omit positions, which only the store understands.
 */
import type { AppendAnswer, AppendRequest } from '../../ports/journal.ts';
import type { Claim, Position } from '../../ports/lease.ts';
import type { Store } from '../../ports/store.ts';
import type { SessionId } from '../../kernel/ids.ts';
import { nextPosition } from './journal-samples.ts';
import type { OpenStore, StoreUnderTest } from './store-under-test.ts';

type Untracked = Exclude<AppendAnswer, { type: 'appended' }> | { readonly type: 'appended'; readonly seq: number };

export function tracked(open: OpenStore): OpenStore {
  return async () => {
    const under = await open();
    const originals = new Map<Store, Store>();
    const track = (store: Store): Store => {
      const wrapped = trackedStore(store);
      originals.set(wrapped, store);
      return wrapped;
    };
    const original = (store: Store) => originals.get(store) ?? store;
    const result: StoreUnderTest = {
      ...under,
      store: track(under.store),
      another: async () => track(await under.another()),
      reopen: async () => track(await under.reopen()),
      crash: (store) => under.crash(original(store)),
      lapse: (store) => under.lapse(original(store)),
      [Symbol.asyncDispose]: () => under[Symbol.asyncDispose](),
    };
    return result;
  };
}

function trackedStore(store: Store): Store {
  const positions = new Map<SessionId, Position>();
  const { journal, leases } = store;
  const claimed = (claim: Claim): Claim => {
    positions.set(claim.session, claim.position);
    return claim;
  };
  // Spread would evaluate accessors only once.
  const trackedLeases: Store['leases'] = Object.create(leases, {
    claim: {
      value: async (...asked: Parameters<Store['leases']['claim']>) => {
        const answer = await leases.claim(...asked);
        if (answer.type === 'claimed') claimed(answer.claim);
        return answer;
      },
    },
    create: { value: (session: SessionId) => claimed(leases.create(session)) },
  }) as Store['leases'];
  const trackedJournal: Store['journal'] = Object.create(journal, {
    append: {
      value: async (request: AppendRequest): Promise<Untracked> => {
        const { session } = request;
        const start = positions.get(session) ?? leases.create(session).position;
        const position = request.position === nextPosition ? start : request.position;
        const answer = await journal.append({ ...request, position });
        if (answer.type !== 'appended') return answer;
        positions.set(session, answer.position);
        return { type: 'appended', seq: answer.seq };
      },
    },
  }) as Store['journal'];
  return Object.create(store, {
    journal: { value: trackedJournal },
    leases: { value: trackedLeases },
  }) as Store;
}
