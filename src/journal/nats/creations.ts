/**
 * Creation keys. A key is written before the session's first message. Its writer may die in between, so a key whose
 * session doesn't exist belongs to the first process that finds its writer gone.
 */
import { hash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

import { Fault } from '../../kernel/fault.ts';
import type { AppendAnswer, AppendRequest, Creation } from '../../ports/journal.ts';
import { headOf } from './session-log.ts';
import type { NatsParts } from './store-parts.ts';

export interface Creations {
  find(key: string): Promise<Creation | undefined>;
  /** Takes the request's key; otherwise who has it. */
  take(request: AppendRequest): Promise<AppendAnswer | undefined>;
  /** The session wasn't created. */
  giveBack(request: AppendRequest): Promise<void>;
  forget(name: string, session: string): Promise<void>;
}

interface Stored extends Creation {
  readonly key: string;
  readonly owner: string;
}

const pauseMs = 50;
const patienceMs = 10_000;

export function createCreations(
  parts: Pick<NatsParts, 'client' | 'layout' | 'writer' | 'processes' | 'watch' | 'self'>,
): Creations {
  const { client, layout, writer, processes, watch, self } = parts;
  const doing = 'Looking for a session by its key';
  const nameOf = (key: string) => hash('sha256', key, 'base64url');
  const subjectOf = (name: string) => layout.subject('kept', 'creation', name);

  async function read(name: string) {
    const message = await client.last(doing, layout.kept, subjectOf(name));
    return message === undefined
      ? undefined
      : { rev: message.seq, stored: JSON.parse(message.body.toString()) as Stored };
  }

  const exists = async ({ session }: Stored) => headOf(await writer.newest(session)) !== undefined;

  async function isAbandoned({ owner }: Stored): Promise<boolean> {
    if (owner === self().id) return true;
    const row = await processes.find(owner);
    return row === undefined || watch.isGone(row);
  }

  async function find(key: string): Promise<Creation | undefined> {
    const current = await read(nameOf(key));
    if (current === undefined || !(await exists(current.stored))) return undefined;
    const { session, digest } = current.stored;
    return { session, digest };
  }

  async function takenBefore({ creation, session }: AppendRequest): Promise<AppendAnswer | undefined> {
    const existing = creation === undefined ? undefined : await find(creation.key);
    return existing === undefined || existing.session === session
      ? undefined
      : { type: 'created-before', ...existing };
  }

  return {
    find,
    async take(request) {
      const { creation, session } = request;
      if (creation === undefined) return undefined;
      const body = JSON.stringify({ session, ...creation, owner: self().id } satisfies Stored);
      const until = performance.now() + patienceMs;
      for (;;) {
        const current = await read(nameOf(creation.key));
        if (current?.stored.session === session) return undefined;
        if (current !== undefined && (await exists(current.stored))) return takenBefore(request);
        if (current === undefined || (await isAbandoned(current.stored))) {
          const options = { expected: current?.rev ?? 0, stream: layout.kept };
          if ((await client.publish(doing, subjectOf(nameOf(creation.key)), body, options)) !== undefined)
            return undefined;
          continue;
        }
        if (performance.now() > until)
          throw new Fault('busy', `${doing}: another process is creating it. Try again.`);
        await sleep(pauseMs);
      }
    },
    async giveBack({ creation, session }) {
      if (creation !== undefined) await this.forget(nameOf(creation.key), session);
    },
    async forget(name, session) {
      const current = await read(name);
      if (current?.stored.session === session) await client.drop(doing, layout.kept, current.rev);
    },
  };
}
