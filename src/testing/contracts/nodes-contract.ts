/** Contract of the nodes that share a store. */
import { describe, expect, it } from 'vitest';

import type { NodeEntry, RegisteredNode } from '../../ports/nodes.ts';
import type { Store } from '../../ports/store.ts';
import { first, nextOf, second } from './journal-samples.ts';
import type { OpenStore } from './store-under-test.ts';

/** Contract of a store's nodes. */
export function nodesContract(name: string, open: OpenStore): void {
  describe(`nodes contract: ${name}`, () => {
    it('[C153] lists registered nodes by name, with their lease and the sessions they own', async () => {
      await using under = await open();
      await using other = await under.another();
      expect(await other.nodes.list()).toEqual([]);
      expect(await under.store.nodes.register(entry('b'))).toEqual({ type: 'registered' });
      expect(await other.nodes.register(plain('a'))).toEqual({ type: 'registered' });
      await other.leases.claim(first);
      await other.leases.claim(second);
      for (const { nodes } of [under.store, other]) {
        expect(shownOf(await nodes.list())).toEqual([
          listed(other, plain('a'), { sessions: 2 }),
          listed(under.store, entry('b')),
        ]);
      }
    });

    it('[C153] finds the node of an owner', async () => {
      await using under = await open();
      await using other = await under.another();
      await under.store.nodes.register(entry('a'));
      const node = await other.nodes.find(under.store.leases.self.id);
      expect(shownOf(node === undefined ? [] : [node])).toEqual([listed(under.store, entry('a'))]);
      expect(await other.nodes.find(other.leases.self.id)).toBeUndefined();
    });

    it('[C153] replaces the entry of the same process, also under another name', async () => {
      await using under = await open();
      const { nodes } = under.store;
      await nodes.register(entry('a'));
      await nodes.register(entry('a', { labels: ['gpu'] }));
      expect(shownOf(await nodes.list())).toEqual([listed(under.store, entry('a', { labels: ['gpu'] }))]);
      await nodes.register(entry('renamed'));
      expect(shownOf(await nodes.list())).toEqual([listed(under.store, entry('renamed'))]);
    });

    it('[C153] gives a name to one living process, and that of a dead one to the next', async () => {
      await using under = await open();
      const dead = await under.another();
      await dead.nodes.register(entry('a'));
      const refused = await under.store.nodes.register(entry('a', { startedAt: 2 }));
      expect(refused.type === 'name-taken' && shownOf([refused.by])).toEqual([listed(dead, entry('a'))]);
      await under.crash(dead);
      expect((await under.store.nodes.list()).filter(({ isAlive }) => isAlive)).toEqual([]);
      expect(await under.store.nodes.register(entry('a', { startedAt: 2 }))).toEqual({ type: 'registered' });
      expect(shownOf(await under.store.nodes.list())).toEqual([listed(under.store, entry('a', { startedAt: 2 }))]);
    });

    it('[C153] forgets a node that closes in order', async () => {
      await using under = await open();
      const closed = await under.another();
      await closed.nodes.register(entry('a'));
      await closed[Symbol.asyncDispose]();
      expect(await under.store.nodes.list()).toEqual([]);
    });

    it('[C153] a node that lost its lease is gone, and is alive once it registers again', async () => {
      await using under = await open();
      await using sleeper = await under.another();
      await sleeper.nodes.register(entry('a'));
      await sleeper.leases.claim(first);
      await under.lapse(sleeper);
      const isAlive = async () => (await under.store.nodes.list()).map((node) => node.isAlive);
      expect(await isAlive()).toEqual([false]);
      const lost = nextOf<readonly string[]>((listener) => sleeper.leases.onLost(listener));
      await under.store.leases.claim(first);
      await lost;
      expect(await sleeper.nodes.register(entry('a'))).toEqual({ type: 'registered' });
      expect(await isAlive()).toEqual([true]);
      expect((await under.store.leases.claim(first)).type).toBe('held');
    });

    it('[C153][O14] notifies a node that another process marks as draining, also if it listens later', async () => {
      await using under = await open();
      await using other = await under.another();
      await under.store.nodes.register(entry('a'));
      const drained = nextOf<void>((listener) => under.store.nodes.onDrain(listener));
      const marked = await other.nodes.drain('a');
      expect(shownOf(marked === undefined ? [] : [marked])).toEqual([
        listed(under.store, entry('a', { isDraining: true })),
      ]);
      await drained;
      expect((await other.nodes.list()).map(({ isDraining }) => isDraining)).toEqual([true]);
      await nextOf<void>((listener) => under.store.nodes.onDrain(listener));
      expect(await other.nodes.drain('nobody')).toBeUndefined();
    });
  });
}

function entry(name: string, more?: Partial<NodeEntry>): NodeEntry {
  return {
    name,
    address: `https://${name}.internal:4747`,
    labels: ['eu', 'gpu'],
    capacity: 100,
    version: '0.1.0',
    reader: 1,
    publicKey: 'AAAAC3NzaC1lZDI1NTE5AAAAIDummyDummyDummyDum',
    fingerprint: 'ab'.repeat(32),
    startedAt: 1,
    isDraining: false,
    ...more,
  };
}

/** A node that nobody can reach. */
function plain(name: string): NodeEntry {
  const { address: _address, fingerprint: _fingerprint, ...rest } = entry(name);
  return rest;
}

function listed(store: Store, node: NodeEntry, more?: Partial<RegisteredNode>): unknown {
  const { id, host, pid } = store.leases.self;
  return { ...node, owner: id, host, pid, isAlive: true, sessions: 0, ...more };
}

/** Without the time since the last renewal. */
function shownOf(nodes: readonly RegisteredNode[]): unknown {
  return nodes.map(({ silentMs, ...node }) => {
    expect(silentMs).toBeGreaterThanOrEqual(0);
    return node;
  });
}
