import { statfsSync } from 'node:fs';
import os from 'node:os';

/** The machine in one line: what matters for the figures, and nothing that identifies it. */
export function describeMachine(folder: string): string {
  const memory = `${Math.round(os.totalmem() / 2 ** 30)} GB of memory`;
  const load = `load ${(os.loadavg()[0] ?? 0).toFixed(1)} at the end`;
  const cores = `${os.availableParallelism()} cores (${os.arch()})`;
  return [
    cores,
    memory,
    `Node ${process.versions.node}`,
    os.platform(),
    `databases on ${fileSystemOf(folder)}`,
    load,
  ].join(', ');
}

/** By the magic number of statfs(2). */
const fileSystems: ReadonlyMap<number, string> = new Map([
  [0xef53, 'ext4'],
  [0x58_46_53_42, 'xfs'],
  [0x91_23_68_3e, 'btrfs'],
  [0x79_4c_76_30, 'overlayfs'],
  [0x01_02_19_94, 'tmpfs'],
  [0x2f_c1_2f_c1, 'zfs'],
]);

function fileSystemOf(folder: string): string {
  const { type } = statfsSync(folder);
  return fileSystems.get(type) ?? `a file system of type 0x${type.toString(16)}`;
}
