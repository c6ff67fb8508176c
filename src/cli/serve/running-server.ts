/** Where the server of this user runs, so that other commands find it. */
import { rm } from 'node:fs/promises';
import path from 'node:path';

import { readPrivateJson, updatePrivateJson } from '../../agents/private-file.ts';

export interface RunningServer {
  readonly url: string;
  readonly pid: number;
  /** The store that it serves. */
  readonly store?: string;
}

const fileIn = (home: string) => path.join(home, 'server.json');

export async function noteServer(home: string, server: RunningServer): Promise<void> {
  await updatePrivateJson(fileIn(home), () => server);
}

/** Taken back by its own process alone: a later server may have written since. */
export async function forgetServer(home: string): Promise<void> {
  const noted = await readPrivateJson(fileIn(home)).catch(() => undefined);
  if (isRunningServer(noted) && noted.pid === process.pid) await rm(fileIn(home), { force: true });
}

export async function findServer(home: string): Promise<RunningServer | undefined> {
  const noted = await readPrivateJson(fileIn(home)).catch(() => undefined);
  return isRunningServer(noted) && isAlive(noted.pid) ? noted : undefined;
}

function isRunningServer(value: unknown): value is RunningServer {
  if (typeof value !== 'object' || value === null) return false;
  const { url, pid } = value as Partial<RunningServer>;
  return typeof url === 'string' && typeof pid === 'number';
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
