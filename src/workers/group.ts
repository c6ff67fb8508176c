/**
 * Several agents under one session, each with a role and a separate history. The agent in focus gets messages to
 * the group. Each agent can also be addressed by name. A failing agent doesn't affect the others.
 */
import type { WorkerRow } from '../ports/job-queue.ts';
import { Fault } from '../kernel/fault.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { JobHost } from './job-host.ts';
import type { JobResult } from './job.ts';
import type { WorkerParts } from './worker-parts.ts';
import type { WorkerOptions, WorkerStatus } from './worker.ts';
import type { Workers } from './workers.ts';

/** Several agents under one session, each in its role. */
export interface Groups {
  /** The group of a session, made of its workers. */
  of(session: SessionId): Group;
}

interface Group {
  readonly session: SessionId;
  /** A role is unique within its group. The first one gets the focus. */
  add(role: string, options?: Omit<WorkerOptions, 'parent' | 'kind'>): Promise<void>;
  roles(): Promise<readonly WorkerStatus[]>;
  focus(): Promise<string | undefined>;
  /** Moves the focus. An unknown role is a `Fault` and leaves the focus unchanged. */
  focusOn(role: string): Promise<void>;
  /** Sends text to the named role, or to the one in focus. */
  say(text: string, options?: { readonly to?: string; readonly host?: JobHost }): Promise<JobResult>;
}

export function createGroups({ queue, clock }: WorkerParts, workers: Workers): Groups {
  return {
    of(session) {
      const members = () => queue.workers({ parent: session });
      const focused = async (): Promise<WorkerRow | undefined> =>
        (await members()).toSorted((a, b) => (b.focusedAt ?? 0) - (a.focusedAt ?? 0))[0];
      async function member(role: string): Promise<WorkerRow> {
        const all = await members();
        const row = all.find(({ name }) => name === role);
        if (row !== undefined) return row;
        const names = all.map(({ name }) => name).join(', ');
        throw new Fault('not-found', `Session ${session} has no role ${role}; its roles are: ${names}.`);
      }
      return {
        session,
        async add(role, options = {}) {
          const isFirst = (await members()).length === 0;
          const worker = await workers.create(role, { ...options, parent: session, kind: 'persistent' });
          if (isFirst) await queue.changeWorker(worker.id, { focusedAt: clock.now() });
        },
        roles: () => workers.list({ parent: session }),
        focus: async () => (await focused())?.name,
        async focusOn(role) {
          const newest = (await focused())?.focusedAt ?? 0;
          await queue.changeWorker((await member(role)).id, { focusedAt: Math.max(clock.now(), newest + 1) });
        },
        async say(text, { to, host } = {}) {
          const row = to === undefined ? await focused() : await member(to);
          if (row === undefined)
            throw new Fault(
              'not-found',
              `Can't speak in session ${session}: the group has no other role. Add a role first.`,
            );
          const worker = await workers.get(row.id);
          if (worker === undefined)
            throw new Fault(
              'not-found',
              `Can't speak to worker ${row.name} of session ${session}: it was just deleted; add its role again.`,
            );
          return (await worker.run(text, host)).wait();
        },
      };
    },
  };
}
