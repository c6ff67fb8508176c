/**
 * A sandbox with the proxy that its allow list needs.
 *
 * 1. The proxy is started with the first command that needs it and serves until the sandbox is closed; its socket
 *    lies in a folder that only this user can enter, and goes with it.
 * 2. Where the proxy cannot be started, commands are refused; none runs without the list.
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
      // whether there is a sandbox at all is known before a proxy is started for it
      const possible = await sandbox.wrap(argv, { ...request, level: 'workspace-no-network' });
      if (possible.type === 'unavailable') return possible;
      started ??= start(hosts);
      try {
        return await sandbox.wrap(argv, { ...request, proxySocket: (await started).socket });
      } catch (error) {
        started = undefined;
        const reason = `the proxy of its allow list did not start: ${(error as Error).message}`;
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
