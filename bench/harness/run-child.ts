import { spawn } from 'node:child_process';
import path from 'node:path';

import type { ArgumentOf, MeasurementName, ResultOf } from '../measurements.ts';
import type { Waited } from './contention.ts';

interface ChildOptions {
  readonly nodeFlags?: readonly string[];
  /** A program that runs the child, with its options: `strace …`. */
  readonly under?: readonly string[];
  readonly timeoutMs?: number;
}

export interface ChildFailure {
  readonly failure: string;
}

const childFile = path.resolve(import.meta.dirname, '../child.ts');

/** The measurement's result, or why there is none. */
export async function runChild<Name extends MeasurementName>(
  name: Name,
  argument: ArgumentOf<Name>,
  { nodeFlags = [], under = [], timeoutMs = 180_000 }: ChildOptions = {},
): Promise<(ResultOf<Name> & Waited) | ChildFailure> {
  const node = [process.execPath, '--no-warnings', ...nodeFlags, childFile, name, JSON.stringify(argument)];
  const [command = '', ...parameters] = [...under, ...node];
  const child = spawn(command, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  const code = await new Promise<number | string | null>((resolve) => {
    child.on('error', (error) => resolve(error.message));
    child.on('close', (status, signal) => resolve(status ?? signal));
  });
  clearTimeout(timer);
  if (code !== 0) return { failure: `${name} ended with ${code}: ${errors.trim().slice(-1200)}` };
  return JSON.parse(output.trimEnd().split('\n').at(-1) ?? '') as ResultOf<Name> & Waited;
}

export function isFailure(result: object): result is ChildFailure {
  return 'failure' in result;
}
