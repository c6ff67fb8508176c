/** Why a mutant may survive, judged by a person. A survivor without an entry is open work. */
import type { Mutant } from './mutants.ts';

interface Judged {
  readonly file: string;
  /** Part of its line; a changed line must be judged again. */
  readonly code: string;
  /** Set if only one mutant of that line is meant. */
  readonly kind?: string;
  readonly reason: string;
}

const batchSize = 'equal: the size of a batch changes no result';
const polled = 'later, not lost: polling finds it';
const onlyCost = 'only cost: more work, same result';
const otherSystem = 'runs on another system only';
const realProcesses = 'covered with real processes: `test/process/stopped-owner.test.ts`';
const offByOne = 'one unit more or less of a bound that only limits cost';

const judged: readonly Judged[] = [
  {
    file: 'src/journal/directory.ts',
    code: 'defaultPageSize = 50',
    reason: batchSize,
  },
  {
    file: 'src/journal/lease-renewal.ts',
    code: 'let sent = { day: 0, ticks: 0 }',
    reason: 'equal: nobody reads it before the first renewal is counted',
  },
  {
    file: 'src/journal/nats/nats-inbox.ts',
    code: 'tell();',
    reason: polled,
  },
  {
    file: 'src/journal/server-wake-ups.ts',
    code: 'if (isClosed || !isWaiting()) return;',
    reason: 'only cost: looks where nobody waits, or where nobody listens any more',
  },
  {
    file: 'src/journal/bundle/write-bundle.ts',
    code: 'recordsAtOnce = 200',
    reason: batchSize,
  },
  {
    file: 'src/journal/memory-store.ts',
    code: 'const records = shared.sessions.get(session)?.records',
    reason: 'test help: damaging an unknown session fails either way',
  },
  {
    file: 'src/journal/memory/hosted-rows.ts',
    code: '.toSorted((a, b) =>',
    kind: '1 → 2',
    reason: 'equal: any number above 0 sorts the same',
  },
  {
    file: 'src/journal/memory/inbox.ts',
    code: 'clearTimeout(timer)',
    reason: 'only cost: the timer fires into nothing',
  },
  {
    file: 'src/journal/memory/journal.ts',
    code: 'if (request.records.every(({ key }) => key === undefined))',
    kind: 'condition → false',
    reason: onlyCost,
  },
  {
    file: 'src/journal/memory/shared.ts',
    code: 'for (const listeners of [seat.commits',
    reason: 'equal: a seat that left is no longer notified',
  },
  {
    file: 'src/journal/process-identity.ts',
    code: "execFileSync('ps'",
    reason: otherSystem,
  },
  {
    file: 'src/journal/sqlite/inline-writer.ts',
    code: 'const mostHeldMs',
    reason: offByOne,
  },
  {
    file: 'src/journal/sqlite/inline-writer.ts',
    code: 'run = { session, at, length',
    reason: offByOne,
  },
  {
    file: 'src/journal/sqlite/inline-writer.ts',
    code: 'return mixedLeft >= 0',
    reason: offByOne,
  },
  {
    file: 'src/journal/local-bus.ts',
    code: 'if (socketPath(folder, name).length > longestSocketPath',
    kind: 'condition → true',
    reason: polled,
  },
  {
    file: 'src/journal/local-bus.ts',
    code: 'socket.write(',
    reason: polled,
  },
  {
    file: 'src/journal/local-bus.ts',
    code: 'const helloWithinMs',
    reason: offByOne,
  },
  {
    file: 'src/journal/local-bus.ts',
    code: "process.platform === 'win32'",
    reason: otherSystem,
  },
  {
    file: 'src/journal/local-bus.ts',
    code: "process.platform !== 'win32'",
    kind: 'condition → true',
    reason: otherSystem,
  },
  {
    file: 'src/journal/sqlite/open-for-writing.ts',
    code: 'isLogLong: ()',
    reason: offByOne,
  },
  {
    file: 'src/journal/sqlite/open-for-writing.ts',
    code: 'batches += 1',
    reason: onlyCost,
  },
  {
    file: 'src/journal/sqlite/open-for-writing.ts',
    code: 'if (isLong || batches % askEvery',
    kind: '0 → 1',
    reason: offByOne,
  },
  {
    file: 'src/journal/sqlite/read-records.ts',
    code: 'const atOnce = Math.max(1',
    reason: batchSize,
  },
  {
    file: 'src/journal/sqlite/read-records.ts',
    code: 'let least = Math.min(before - 1',
    reason: batchSize,
  },
  {
    file: 'src/journal/sqlite/read-records.ts',
    code: 'if (least <= 1) return',
    reason: batchSize,
  },
  {
    file: 'src/journal/sqlite/readable-rows.ts',
    code: 'lost = 0;',
    reason: onlyCost,
  },
  {
    file: 'src/journal/sqlite/readable-rows.ts',
    code: 'rowsAtOnce = 200',
    reason: batchSize,
  },
  {
    file: 'src/journal/sqlite/session-heads.ts',
    code: 'insertHead, id, epoch, owner)?.number',
    reason: 'equal: the insert always returns a number',
  },
  {
    file: 'src/journal/sqlite/session-heads.ts',
    code: 'if (loaded !== undefined) kept.set',
    kind: '!== → ===',
    reason: 'only cost: a cache',
  },
  {
    file: 'src/journal/process-leases.ts',
    code: 'if (held.size === 0) wakeUps.setOwning(false)',
    kind: 'condition → true',
    reason: onlyCost,
  },
  {
    file: 'src/journal/sqlite/sqlite-store.ts',
    code: 'accessSync(path.dirname(file)',
    reason: 'only the words of an error that is thrown either way',
  },
  {
    file: 'src/journal/sqlite/sqlite-upkeep.ts',
    code: "if (text !== '') texts.push",
    kind: 'condition → true',
    reason: 'only cost: an empty text matches no search',
  },
  {
    file: 'src/journal/sqlite/stopped-writer.ts',
    code: 'inode === ino && from <= writeLockByte',
    reason: realProcesses,
  },
  {
    file: 'src/journal/store-clock.ts',
    code: 'os.uptime() * 1000',
    kind: '1000 → 1001',
    reason: 'a per mille of a lease',
  },
  {
    file: 'src/journal/sqlite/sweep-blobs.ts',
    code: 'recordsAtOnce = 500',
    reason: batchSize,
  },
  {
    file: 'src/journal/sqlite/wake-ups.ts',
    code: 'function lookSoon',
    reason: polled,
  },
  {
    file: 'src/journal/sqlite/wake-ups.ts',
    code: 'const pollAloneMs',
    reason: offByOne,
  },
  {
    file: 'src/journal/sqlite/write-append.ts',
    code: 'if (blobs.length > 0) referToBlobs',
    kind: 'condition → true',
    reason: 'only cost: makes an empty table earlier',
  },
  {
    file: 'src/journal/sqlite/write-append.ts',
    code: 'if (settles !== null) db.run(deleteSettled',
    kind: 'condition → true',
    reason: 'only cost: deletes what the next letter would delete',
  },
  {
    file: 'src/journal/sqlite/write-append.ts',
    code: 'if (isSameState && db.run(updateEntry',
    kind: '> → >=',
    reason: 'equal: the writer forgets what it showed when the row goes',
  },
  {
    file: 'src/kernel/conversation/choose-cut.ts',
    code: 'marks.find((mark, place) => place > lastTurn',
    kind: '&& → ||',
    reason: 'equal: where the newest turn does not fit, no earlier step fits',
  },
  {
    file: 'src/kernel/conversation/conversation.ts',
    code: 'conversation.reviews = reviews.filter',
    reason: 'equal: a question is answered once',
  },
  {
    file: 'src/kernel/conversation/conversation.ts',
    code: "if (messages.length > 0) messages.push({ role: 'notice', text: quotationNotice",
    kind: '0 → 1',
    reason: 'equal: a turn leaves at least two messages',
  },
  {
    file: 'src/kernel/conversation/conversation.ts',
    code: "if (change.type === 'cleared') conversation.waiting",
    kind: 'condition → false',
    reason: 'only memory: a cleared prompt starts no turn',
  },
  {
    file: 'src/kernel/loop-watch.ts',
    code: 'b = Math.imul(b + code',
    reason: 'equal: another hash, just as good',
  },
  {
    file: 'src/kernel/loop-watch.ts',
    code: 'let [a, b] =',
    reason: 'equal: another hash, just as good',
  },
  {
    file: 'src/kernel/nearest-name.ts',
    code: 'const isSwapped = i > 1',
    kind: '> → >=',
    reason: 'equal: a letter before the first is undefined and equals none',
  },
  {
    file: 'src/kernel/nearest-name.ts',
    code: 'let row: readonly number[]',
    kind: '1 → 2',
    reason: 'equal: the element behind the last is never read',
  },
  {
    file: 'src/kernel/token-estimate.ts',
    code: 'let start = 0;',
    reason: 'equal: set at the first letter of a word, before it is used',
  },
  {
    file: 'src/runtime/describe-calls.ts',
    code: 'if (after === undefined && priority === undefined) return call',
    kind: 'condition → false',
    reason: 'only cost: copies the call',
  },
  {
    file: 'src/runtime/system-clock.ts',
    code: 'uptime = () => os.uptime() * 1000',
    reason: 'the reading of the real machine; tests supply their own',
  },
  {
    file: 'src/session/handle/follow-anywhere.ts',
    code: 'atInstant();',
    reason: 'equal: what was held is older than the snapshot and is skipped by its sequence or offset',
  },
  {
    file: 'src/session/handle/follow-anywhere.ts',
    code: 'if (isCurrent) {',
    kind: 'condition → false',
    reason: 'equal: what was held is older than the snapshot and is skipped by its sequence or offset',
  },
  {
    file: 'src/session/ownership/look-first.ts',
    code: 'stop() {',
    reason: 'equal: a closed process opens nothing',
  },
  {
    file: 'src/session/live/owner-gate.ts',
    code: 'if (leaving !== undefined) check(state)',
    kind: 'condition → true',
    reason: 'equal: `check` does nothing without `leaving`',
  },
  {
    file: 'src/session/read/past-state.ts',
    code: 'pageSize = 5000',
    reason: batchSize,
  },
  {
    file: 'src/session/read/read-conversation.ts',
    code: 'const pages = span.from <= 1',
    reason: 'equal: both read the same events, one of them page by page',
  },
  {
    file: 'src/session/read/read-refusals.ts',
    code: 'const events = await newestTurn',
    kind: '1 → 0',
    reason: 'equal: the newest event of a turn is never a refusal',
  },
  {
    file: 'src/session/read/read-refusals.ts',
    code: 'atOnce = 1000',
    reason: batchSize,
  },
  {
    file: 'src/session/read/read-transcript.ts',
    code: 'leastReach = 100',
    reason: batchSize,
  },
  {
    file: 'src/session/read/read-transcript.ts',
    code: 'longestTurn = 1000',
    reason: batchSize,
  },
  {
    file: 'src/session/branch/rewind-session.ts',
    code: 'const newest = await findNewest(journal, session, head + 1',
    kind: '1 → 2',
    reason: 'equal: nothing stands behind the head',
  },
  {
    file: 'src/session/handle/session-place.ts',
    code: 'const read = sessions.live(place.id) === undefined',
    kind: 'condition → true',
    reason: 'equal: a live session is not looked at',
  },
  {
    file: 'src/session/handle/session.ts',
    code: "options.whenAsked ?? 'return'",
    reason: 'equal: everything but `wait` returns',
  },
  {
    file: 'src/session/follow/stream-position.ts',
    code: "if (text !== '') yield",
    kind: 'condition → true',
    reason: 'equal: an empty piece adds nothing',
  },
  {
    file: 'src/session/remote/submit-remotely.ts',
    code: 'answerTimeoutMs = 1000',
    reason: offByOne,
  },
  {
    file: 'src/session/handle/turn-anywhere.ts',
    code: "if (live === 'remote') return watchTurn",
    kind: 'condition → true',
    reason: 'equal: a session of this process can be watched through the journal too, only more slowly',
  },
  {
    file: 'src/journal/local-bus.ts',
    code: 'if (isClosed) listening.close()',
    kind: 'condition → false',
    reason: 'a race: the bus is closed while it opens its socket',
  },
  {
    file: 'src/journal/local-bus.ts',
    code: 'void rm(path.join(folder, fileOf(other))',
    reason: 'a race: another process removes the same dead socket',
  },
  {
    file: 'src/journal/sqlite/sqlite-store.ts',
    code: 'closing ??= Promise.resolve();',
    reason: 'test help: `abandon` stands in for a kill',
  },
  {
    file: 'src/session/handle/follow-anywhere.ts',
    code: "movesAt: live === 'remote'",
    kind: 'condition → true',
    reason: 'equal: the follower continues at the same place',
  },
  {
    file: 'src/session/follow/follow-into.ts',
    code: 'isLive = false;',
    kind: 'false → true',
    reason: 'equal: text between a gap and its snapshot comes early, and the snapshot has it too',
  },
  {
    file: 'src/session/ownership/hibernation.ts',
    code: 'if (waits.length === 0 || isStopped',
    kind: 'condition → false',
    reason: 'only cost: an alarm that wakes nobody',
  },
  {
    file: 'src/session/mailbox/letter.ts',
    code: 'return key === undefined ? { at, by, events: json }',
    kind: 'condition → false',
    reason: 'equal: a key that is undefined is none',
  },
  {
    file: 'src/session/follow/follow-into.ts',
    code: 'if (streaming !== undefined) held = held.filter',
    reason: 'equal: a piece that was seen is skipped by its offset',
  },
  {
    file: 'src/journal/sqlite/stopped-writer.ts',
    code: 'if (!(error instanceof Fault) || error.code',
    kind: 'condition → false',
    reason: 'equal: without a stopped process the error is thrown either way',
  },
  {
    file: 'src/session/follow/follow-into.ts',
    code: 'held = [];',
    reason: 'only cost: what was held is dropped at the next snapshot',
  },
  {
    file: 'src/journal/memory/upkeep.ts',
    code: 'return entry === undefined ? listed',
    kind: 'condition → false',
    reason: 'equal: an entry that is undefined is none',
  },
  {
    file: 'src/journal/searchable-text.ts',
    code: 'if (!/"type":"(session-created',
    kind: 'condition → false',
    reason: 'only cost: a record without texts gives none',
  },
  {
    file: 'src/journal/sqlite/writer-thread.ts',
    code: 'open.ref();',
    reason: 'later, not lost: closing waits for the thread',
  },
  {
    file: 'src/session/ownership/drain-sessions.ts',
    code: 'if (deadline <= 0 || busy.length === 0)',
    kind: '0 → 1',
    reason: offByOne,
  },
  {
    file: 'src/session/handle/session.ts',
    code: 'interrupt: (reason) => send',
    kind: '&& → ||',
    reason: 'equal: a reason that is undefined is none',
  },
  {
    file: 'src/session/read/read-status.ts',
    code: 'const [intent] = (await journal.read',
    kind: '1 → 0',
    reason: 'equal: a page holds at least one record',
  },
  {
    file: 'src/journal/sqlite/salvage-store.ts',
    code: 'const header = Buffer.alloc(100)',
    reason: 'equal: only the first hundred bytes are read',
  },
  {
    file: 'src/journal/sqlite/open-for-writing.ts',
    code: 'if (isLong || batches % askEvery',
    kind: 'condition → false',
    reason: 'covered with real processes: `test/process/journal-log.test.ts`',
  },
  {
    file: 'src/journal/sqlite/open-for-writing.ts',
    code: 'if (pages < restartAt || busyTimeoutMs',
    reason: 'covered with real processes: `test/process/journal-log.test.ts`',
  },
  {
    file: 'src/session/handle/turn-anywhere.ts',
    code: 'watchStanding(turns, now);',
    reason: 'later, not lost: the event of the question brings it too',
  },
  {
    file: 'src/kernel/evolve/evolve-question.ts',
    code: "if (turnOf(state)?.activity.type !== 'clarifying') return state",
    kind: 'condition → false',
    reason: 'a late answer to a turn that is being cancelled; no test covers it',
  },
  {
    file: 'src/session/follow/follow-into.ts',
    code: 'hasLagged = true;',
    kind: 'true → false',
    reason: 'equal: the live part is over, and the next round begins with a snapshot',
  },
  {
    file: 'src/journal/searchable-text.ts',
    code: "return decoded.type === 'damaged' ? [] : decoded.events",
    kind: 'condition → false',
    reason: 'equal: a damaged record has no events',
  },
  {
    file: 'src/journal/job-queue-running.ts',
    code: "const awake: JobRow = row.state === 'stalled'",
    kind: 'condition → false',
    reason: 'equal: ending a job only asks whether it has ended',
  },
  {
    file: 'src/journal/sqlite/sqlite-store.ts',
    code: "if (op[0] === 'remove' && seq === 'done') leases.forgotten",
    reason: 'only the list of lost sessions would name a removed one; no test covers it',
  },
  {
    file: 'src/session/handle/turn-anywhere.ts',
    code: 'stateOf(place).then((now) => watchStanding',
    reason: 'later, not lost: the look every second brings it too',
  },
  {
    file: 'src/journal/sqlite/job-queue-tables.ts',
    code: 'row.dead === true ? 1 : 0',
    kind: 'condition → true',
    reason: 'the contract suite of SQLite reaches it, but not within the budget of this run',
  },
  {
    file: 'src/journal/sqlite/job-queue.ts',
    code: 'if (!isThere(db)) return []',
    kind: 'condition → true',
    reason: 'the contract suite of SQLite reaches it, but not within the budget of this run',
  },
];

export function reasonFor({ file, kind }: Mutant, code: string): string {
  const entry = judged.find(
    (each) => each.file === file && code.includes(each.code) && (each.kind === undefined || each.kind === kind),
  );
  return entry?.reason ?? 'open';
}
