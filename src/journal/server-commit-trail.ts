/**
 * Which commits of other processes are news. Transactions get their numbers before they commit, so each poll reads
 * again from the oldest one that was still running, and what was reported already is dropped. A transaction of another
 * program may run for hours; ours take seconds, so the trail goes no further back than a minute.
 *
 * A server that crashed, and a standby that was promoted, give numbers again that others had before. The trail then
 * starts over from a minute ago.
 */
import type { SessionId } from '../kernel/ids.ts';
import type { Commit } from '../ports/journal.ts';
import type { News } from './server-news.ts';

interface ServerCommitTrail {
  /** This process committed it. False if a poll found it before the server's answer arrived: it is already reported. */
  own(commit: Commit): boolean;
  /** Where the next poll starts. */
  since(): number;
  /** The newest commit of each session that wasn't reported yet. */
  read(news: Trailed): readonly Commit[];
  /** Nobody listens, so earlier commits aren't reported. */
  skip(news: Trailed): void;
}

type Trailed = Pick<News, 'commits' | 'oldest' | 'next' | 'server'>;

const longestMs = 60_000;
const prunedEvery = 1000;
const noSessions: ReadonlySet<SessionId> = new Set();

/** `start`: the oldest running transaction when the store was opened. */
export function createServerCommitTrail(
  start: number,
  now: () => number = () => performance.now(),
): ServerCommitTrail {
  let from = start;
  /** What was reported, and when. */
  const positions = new Map<SessionId, { readonly seq: number; readonly at: number }>();
  let owned = 0;
  let looks: { readonly at: number; readonly next: number }[] = [];
  let last: Pick<News, 'server' | 'next'> | undefined;

  function advance({ oldest, next, server }: Trailed): void {
    const at = now();
    const isAnother = last !== undefined && (last.server !== server || next < last.next);
    last = { server, next };
    if (isAnother) {
      from = Math.min(from, oldest, looks[0]?.next ?? from);
      looks = [];
      positions.clear();
      return;
    }
    looks.push({ at, next });
    const past = looks.findLast((look) => at - look.at >= longestMs)?.next ?? 0;
    looks = looks.filter((look) => at - look.at < longestMs || look.next === past);
    from = Math.max(oldest, past, from);
  }

  /** Forgets commits that no later poll can return. */
  function prune(listed: ReadonlySet<SessionId>): void {
    const at = now();
    for (const [session, one] of positions) {
      if (!listed.has(session) && at - one.at > 2 * longestMs) positions.delete(session);
    }
  }

  return {
    own({ session, seq }) {
      const isNews = positions.get(session)?.seq !== seq;
      positions.set(session, { seq, at: now() });
      owned += 1;
      if (owned % prunedEvery === 0) prune(noSessions);
      return isNews;
    },
    since: () => from,
    read(news) {
      const at = now();
      advance(news);
      const listed = new Set<SessionId>();
      const fresh: Commit[] = [];
      for (const [session, seq] of news.commits) {
        listed.add(session);
        if (seq <= (positions.get(session)?.seq ?? 0)) continue;
        positions.set(session, { seq, at });
        fresh.push({ session, seq });
      }
      prune(listed);
      return fresh;
    },
    skip: advance,
  };
}
