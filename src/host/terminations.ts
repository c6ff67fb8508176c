/**
 * Ending hosted sessions for good, so that a host that is killed at any instant leaves nothing behind.
 *
 * 1. That a session is being ended is durable before anything of it is taken down, and until all of it is.
 * 2. Whoever starts next on the same store finishes what was begun; doing a step twice changes nothing.
 * 3. A step that fails is told and tried again by the next host; the others are taken all the same.
 */
import type { HostedRows } from '../journal/hosted-rows.ts';
import type { SessionId } from '../kernel/ids.ts';

export interface Terminations<Answer> {
  /** Answers what closing answered; the rest is taken down behind it. */
  end(session: SessionId, reason: string, close: () => Promise<Answer>): Promise<Answer>;
  /** Being taken down here. */
  isUnderWay(session: SessionId): boolean;
  /** Finishes what an earlier host began. */
  finishLeftovers(close: (session: SessionId, reason: string) => Promise<unknown>): Promise<readonly SessionId[]>;
  /** Resolves when nothing is being taken down any more. */
  settled(): Promise<void>;
}

export interface TerminationParts<Answer> {
  readonly rows: HostedRows;
  /** Ends all that runs for the session: agents and processes, then leases. */
  readonly takeDown: (session: SessionId) => Promise<void>;
  /** Whether the session is closed, by this or before; where it is not, nothing is taken down. */
  readonly isClosed: (answer: Answer) => boolean;
  readonly onProblem: (message: string, fields: Readonly<Record<string, unknown>>) => void;
}

export function createTerminations<Answer>(parts: TerminationParts<Answer>): Terminations<Answer> {
  const { rows, takeDown, onProblem } = parts;
  const underWay = new Map<SessionId, Promise<void>>();

  async function finish(session: SessionId): Promise<void> {
    try {
      await takeDown(session);
      await rows.save(session, undefined);
    } catch (error) {
      onProblem(`taking down session ${session} failed`, { session, error: String(error) });
    }
  }

  function track(session: SessionId, work: Promise<void>): Promise<void> {
    const tracked = work.finally(() => {
      if (underWay.get(session) === tracked) underWay.delete(session);
    });
    underWay.set(session, tracked);
    return tracked;
  }

  return {
    async end(session, reason, close) {
      await rows.save(session, JSON.stringify({ state: 'terminating', reason }));
      const answer = await close();
      if (parts.isClosed(answer)) void track(session, finish(session));
      else await rows.save(session, undefined);
      return answer;
    },
    isUnderWay: (session) => underWay.has(session),
    async finishLeftovers(close) {
      const left = (await rows.load()).filter(({ body }) => stateIn(body).state === 'terminating');
      const endAgain = async (session: SessionId, body: string) => {
        try {
          await close(session, stateIn(body).reason ?? 'its server ended');
          await finish(session);
        } catch (error) {
          onProblem(`ending session ${session} failed`, { session, error: String(error) });
        }
      };
      await Promise.all(left.map(({ session, body }) => track(session, endAgain(session, body))));
      return left.map(({ session }) => session);
    },
    async settled() {
      await Promise.all(underWay.values());
    },
  };
}

/** Written by this file or, with more in it, by `stored-hosting.ts`. */
function stateIn(body: string): { readonly state?: string; readonly reason?: string } {
  return JSON.parse(body) as { readonly state?: string; readonly reason?: string };
}
