/**
 * A sandbox with the proxy that its allow list needs.
 *
 * 1. The proxy starts with the first command that needs it and runs until the sandbox closes. Its socket lies in a
 *    folder that only this user can enter. Closing removes the folder.
 * 2. If the proxy can't start, commands are refused. None runs without the list.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { Sandbox } from './sandbox.ts';

export interface ClosableSandbox extends Sandbox, AsyncDisposable {}

export function withAllowList(sandbox: Sandbox, hosts: readonly string[]): ClosableSandbox {
  let started: Promise<Started> | undefined;
  return {
    async wrap(argv, request) {
      if (request.level !== 'workspace-allow-list' || (request.profile ?? 'work') !== 'work')
        return sandbox.wrap(argv, request);
      // Checks that a sandbox is available before starting a proxy for it.
      const possible = await sandbox.wrap(argv, { ...request, level: 'workspace-no-network' });
      if (possible.type === 'unavailable') return possible;
      started ??= start(hosts);
      try {
        return await sandbox.wrap(argv, { ...request, proxySocket: (await started).socket });
      } catch (error) {
        started = undefined;
        const reason = `the allow-list proxy did not start: ${(error as Error).message}`;
        return {
          type: 'unavailable',
          reason,
          install: 'choose workspace-no-network, or free the temporary folder',
          isLasting: false,
        };
      }
    },
    async [Symbol.asyncDispose]() {
      const running = await started?.catch(() => undefined);
      started = undefined;
      await running?.close();
    },
  };
}

interface Started {
  readonly socket: string;
  readonly close: () => Promise<void>;
}

async function start(hosts: readonly string[]): Promise<Started> {
  const { createAllowListProxy } = await import('./allow-list-proxy.ts');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'rondo-proxy-'));
  const proxy = await createAllowListProxy({ socket: path.join(folder, 's'), hosts });
  return {
    socket: proxy.socket,
    async close() {
      await proxy.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
