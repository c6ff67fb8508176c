/** Dependencies of the routes. Each area picks the ones it needs. */
import type { SessionHost } from '../../host/session-host.ts';
import type { Backend, Catalog, ServerClock, ServerLogger } from '../backend.ts';
import type { Devices } from '../devices.ts';
import type { GuardOptions } from '../guard.ts';
import type { LoginCodes } from '../login-codes.ts';
import type { FollowerCounts } from '../metrics.ts';
import type { ServerNode } from '../nodes/node.ts';
import type { MarkStore } from '../marks.ts';
import type { Operations } from '../operations.ts';
import type { Push } from '../push.ts';
import type { SessionOverview } from '../session-overview.ts';
import type { Shares } from '../shares.ts';
import type { SlowDown } from '../slow-down.ts';
import type { Tokens } from '../tokens.ts';

export interface RouteParts {
  readonly backend: Backend;
  readonly operations: Operations;
  readonly host: Pick<SessionHost, 'get'>;
  readonly catalog: Catalog;
  /** The server's folder. */
  readonly cwd: string;
  readonly clock: ServerClock;
  readonly logger: ServerLogger;
  readonly counts: FollowerCounts;
  /** Between signs of life on a stream. */
  readonly heartbeatMs: number;
  /** This server among the nodes of its store. */
  readonly node: ServerNode | undefined;
  readonly overview: SessionOverview;
  readonly marks: MarkStore;
  readonly shares: Shares;
  readonly push: Push;
  readonly access: {
    readonly tokens: Tokens;
    readonly codes: LoginCodes;
    readonly slowDown: SlowDown;
    readonly devices: Devices;
    readonly guard: GuardOptions;
  };
}
