/**
 * A job that a client files. A worker that is not there yet is made; without a name the job gets one of its
 * own. The same key again gives the same job; for another one it is a conflict.
 */
import { createHash } from 'node:crypto';
import path from 'node:path';

import type { z } from 'zod';

import { Fault } from '../kernel/fault.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import type { jobBody } from '../protocol/http-schema.ts';
import type { Job } from '../workers/job.ts';
import type { Worker } from '../workers/worker.ts';
import type { Backend } from './backend.ts';
import type { Identity } from './identity.ts';
import { isInside } from './is-inside.ts';
import { done, failed, isRefusal, type Outcome } from './operations.ts';

export type WireJob = z.infer<typeof jobBody>;

export async function fileJob(
  { backend, cwd }: { readonly backend: Backend; readonly cwd: string },
  by: Identity,
  wanted: WireJob,
  key?: string,
): Promise<Outcome<Job>> {
  const place = path.resolve(cwd, wanted.cwd ?? '.');
  if (by.role !== 'owner' && !isInside(place, cwd)) {
    return failed('REFUSED', 'Only the owner may have work done outside the folder that is served.');
  }
  try {
    const worker = await workerFor(backend, wanted, place, key);
    const { prompt, priority, after, timeoutMs, onFailure } = wanted;
    const job = await worker.run(prompt, undefined, {
      ...(priority !== undefined && { priority }),
      ...(after !== undefined && { after: after as readonly string[] as readonly JobId[] }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      ...(onFailure !== undefined && { whenDependencyFails: onFailure }),
      ...(key !== undefined && { key: `${by.token} ${key}` }),
    });
    if (job.worker !== worker.id && worker.kind === 'ephemeral') await worker.delete();
    const filed = await backend.jobs.view(job.id);
    const isSame = filed?.prompt === prompt && (priority ?? 'normal') === filed.priority;
    return isSame ? done(job) : failed('CONFLICT', `The key ${key} was used for another job; use a fresh key.`);
  } catch (error) {
    if (isRefusal(error)) return failed('REFUSED', error.message);
    if (error instanceof Fault && error.code === 'busy') return failed('LIMIT_REACHED', error.message);
    throw error;
  }
}

async function workerFor({ workers }: Backend, wanted: WireJob, cwd: string, key?: string): Promise<Worker> {
  const { agent, model, parent } = wanted;
  const under = parent === undefined ? {} : { parent: parent as SessionId };
  const options = {
    cwd,
    ...under,
    ...(agent !== undefined && { agent }),
    ...(model !== undefined && { model }),
  };
  const query = { parent: under.parent ?? null };
  if (wanted.worker !== undefined) {
    return (await workers.get(wanted.worker, query)) ?? workers.create(wanted.worker, options);
  }
  const name = key === undefined ? `job-${crypto.randomUUID().slice(0, 8)}` : `job-${digestOf(key)}`;
  return (await workers.get(name, query)) ?? workers.create(name, { ...options, kind: 'ephemeral' });
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}
