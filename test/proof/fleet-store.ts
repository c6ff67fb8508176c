/** What the servers of a fleet share, and what can happen to it. */
import type { Store } from '../../src/ports/store.ts';
import type { SeededRandom } from '../../src/testing/simulation-random.ts';
import type { Weather } from '../fixtures/postgres/proxy.ts';

/** From one node to the store. */
export interface StoreLine extends AsyncDisposable {
  /** For the node. */
  readonly address: string;
  weather: Weather;
}

export interface FleetStore extends AsyncDisposable {
  /** Seconds. */
  readonly lease: number;
  line(): Promise<StoreLine>;
  /** For the proof itself, without faults on the way. */
  open(): Promise<Store>;
  /** One at a time. True if the fault was injected, not merely attempted. */
  inject(fault: StoreFault, random: SeededRandom): Promise<boolean>;
}

type PostgresFault =
  | 'database connections terminated'
  | 'database connections fell silent'
  | 'database killed'
  | 'database restarted'
  | 'synchronous standby promoted';

type NatsFault = 'NATS server killed' | 'NATS leader killed' | 'NATS server stopped' | 'NATS server restarted';

export type StoreFault = PostgresFault | NatsFault;

export interface FleetEngine {
  readonly name: 'PostgreSQL' | 'NATS';
  /** Why it can't be proved here. */
  readonly missing: string | undefined;
  start(): Promise<FleetStore>;
  /** Relative frequencies. */
  faults(length: { readonly isLong: boolean }): Readonly<Partial<Record<StoreFault, number>>>;
  /** How often kinds must happen, of the usual number. */
  readonly shares: Readonly<Partial<Record<string, number>>>;
}
