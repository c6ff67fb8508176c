import type { StoreState } from '../moved-store.ts';
import type { Driver } from './driver.ts';

/** As numbers, because facts are. */
const states: readonly StoreState[] = ['ready', 'copying', 'moved'];

export function storeState(db: Driver): StoreState {
  return states[db.number(`SELECT value FROM facts WHERE name = 'state'`) ?? 0] ?? 'moved';
}

export function setStoreState(db: Driver, state: StoreState): void {
  db.run(`INSERT OR REPLACE INTO facts (name, value) VALUES ('state', ?)`, states.indexOf(state));
}
