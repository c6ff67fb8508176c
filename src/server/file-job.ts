/**
 * Files a client's job. Creates the worker if it doesn't exist. Without a name, the job gets its own worker.
 * Repeating a key returns the same job; using it for a different request is a conflict.
 */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';

import type { z } from 'zod';

import { Fault } from '../kernel/fault.ts';
import type { JobId, SessionId } from '../kernel/ids.ts';
import type { jobBody } from '../protocol/http-schema.ts';
import type { Job } from '../workers/job.ts';
import type { Worker } from '../workers/worker.ts';
import type { Backend } from './backend.ts';
import type { Identity } from './identity.ts';
import { done, failed, isClientFault, type OperationOutcome } from './outcome.ts';
import { workFolder } from './work-folder.ts';
import { optional } from '../kernel/optional.ts';

type WireJob = z.infer<typeof jobBody>;

export async function fileJob(
  { backend, cwd }: { readonly backend: Backend; readonly cwd: string },
  by: Identity,
  wanted: WireJob,
  key?: string,
): Promise<OperationOutcome<Job>> {
  const place = await workFolder(by, cwd, wanted.cwd);
  if (place === undefined) return failed('REFUSED', 'Only the owner can start work outside the server folder.');
  const asked: Asked = { ...wanted, prompt: digestOf(wanted.prompt) };
  try {
    const { worker, isNew } = await workerFor(backend, wanted, place, key);
    const { prompt, priority, after, timeoutMs, onFailure } = wanted;
    const job = await worker.run(prompt, undefined, {
      ...optional({ priority }),
      ...(after !== undefined && { after: after as readonly string[] as readonly JobId[] }),
      ...optional({ timeoutMs, whenDependencyFails: onFailure }),
      ...(key !== undefined && { key: `${by.token} ${key}`, digest: JSON.stringify(asked) }),
    });
    if (key === undefined) return done(job);
    if (job.worker !== worker.id && isNew) await worker.delete();
    const others = differences(job, asked);
    if (others.length === 0) return done(job);
    const message = `The key ${key} was used for job ${job.id} with another ${others.join(' and ')}; use a fresh key.`;
    return failed('CONFLICT', message);
  } catch (error) {
    if (isClientFault(error)) return failed('REFUSED', error.message);
    if (error instanceof Fault && error.code === 'busy') return failed('LIMIT_REACHED', error.message);
    throw error;
  }
}

/** The request, with its prompt as a digest: the job stores the full text. */
type Asked = Readonly<Record<string, unknown>>;

/** The fields in which a request differs from the one that filed the job. */
function differences({ digest }: Job, asked: Asked): readonly string[] {
  if (digest === undefined) return [];
  const before = JSON.parse(digest) as Asked;
  const fields = new Set([...Object.keys(before), ...Object.keys(asked)]);
  return [...fields].filter((field) => !isDeepStrictEqual(before[field], asked[field]));
}

async function workerFor(
  { workers }: Backend,
  wanted: WireJob,
  cwd: string,
  key?: string,
): Promise<{ readonly worker: Worker; readonly isNew: boolean }> {
  const { agent, model, parent } = wanted;
  const under = parent === undefined ? {} : { parent: parent as SessionId };
  const options = {
    cwd,
    ...under,
    ...optional({ agent, model }),
  };
  const query = { parent: under.parent ?? null };
  const ownName = `job-${key === undefined ? crypto.randomUUID().slice(0, 8) : digestOf(key)}`;
  const { worker: name = ownName } = wanted;
  const worker = await workers.get(name, query);
  if (worker !== undefined) return { worker: worker, isNew: false };
  const kind = wanted.worker === undefined ? 'ephemeral' : 'persistent';
  return { worker: await workers.create(name, { ...options, kind }), isNew: true };
}

function digestOf(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}
