/** What `rondo doctor` asks NATS servers. */
import { natsPlace } from './nats-address.ts';
import { connectNats } from './nats-client.ts';
import { canKeepReplicas, isOlder } from './server-version.ts';
import { layoutOf, readStoreFacts } from './store-layout.ts';

export interface NatsExamined {
  /** Without the password. */
  readonly safeAddress: string;
  readonly version: string;
  /** Too old for the servers' own guarantees under power loss. */
  readonly isForDevelopment: boolean;
  /** False: replicas may differ after a leader died. */
  readonly canKeepReplicas: boolean;
  readonly isClustered: boolean;
  readonly isEncrypted: boolean;
  /** Stated by the operator, because a client can't find out. */
  readonly isSynced: boolean;
  readonly hasStore: boolean;
  readonly streams: number;
  /** Of the store's streams; the smallest number. */
  readonly replicas: number;
  readonly bytes: number;
  /** The account's limit; -1 for none. */
  readonly mostBytes: number;
  /** Replicas that are behind or away, for people. */
  readonly lagging: readonly string[];
}

/** Older servers have lost acknowledged messages. */
const productive = [2, 10, 23];

export async function examineServers(address: string): Promise<NatsExamined> {
  const place = natsPlace(address);
  const client = await connectNats(place, { retryMs: 3000 });
  try {
    const { version = '', cluster, tls_required: tls } = client.connection.info ?? {};
    const account = await client.manager.getAccountInfo();
    const facts = (await readStoreFacts(client, place.name))?.facts;
    const layout = layoutOf(place.name, facts?.streams ?? place.streams);
    const names = facts === undefined ? [] : [layout.directory, layout.live, layout.kept, ...layout.logs];
    const streams = await Promise.all(names.map((name) => client.manager.streams.info(name)));
    const lagging = streams.flatMap(({ config, cluster: group }) =>
      (group?.replicas ?? [])
        .filter(({ current, offline }) => !current || offline)
        .map(({ name }) => `${config.name} on ${name}`),
    );
    return {
      safeAddress: place.shown,
      version,
      isForDevelopment: isOlder(version, productive),
      canKeepReplicas: canKeepReplicas(version),
      isClustered: cluster !== undefined,
      isEncrypted: tls === true || place.isEncrypted,
      isSynced: place.isSynced,
      hasStore: facts !== undefined,
      streams: layout.logs.length,
      replicas:
        streams.length === 0 ? place.replicas : Math.min(...streams.map(({ config }) => config.num_replicas)),
      bytes: streams.reduce((sum, { state }) => sum + state.bytes, 0),
      mostBytes: account.limits.max_storage,
      lagging,
    };
  } finally {
    await client.close();
  }
}
