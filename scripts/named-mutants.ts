/**
 * Faults that tests once missed, and the first release's faults of ownership. Each stays here, with its current
 * location, so that no later change of the tests misses it again.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { mutantId, type Mutant } from './mutants.ts';

type Named = Pick<Mutant, 'file' | 'place' | 'replacement'> & {
  readonly fault: string;
  /** The original code; occurs once in its file. */
  readonly code: string;
};

const named: readonly Named[] = [
  {
    fault: 'blob file not synced',
    file: 'src/journal/file-blobs.ts',
    place: 'statement',
    code: 'await handle.writeFile(content);\n      await handle.sync();',
    replacement: 'await handle.writeFile(content);',
  },
  {
    fault: 'streamed blob file not synced',
    file: 'src/journal/file-blobs.ts',
    place: 'statement',
    code: "await handle.sync();\n      return hash.digest('hex') as BlobHash;",
    replacement: "return hash.digest('hex') as BlobHash;",
  },
  {
    fault: 'folder of a blob not synced after the file got its name',
    file: 'src/journal/file-blobs.ts',
    place: 'statement',
    code: 'await syncFolder(path.dirname(file));\n      return hash;',
    replacement: 'return hash;',
  },
  {
    fault: 'snapshot version ignored',
    file: 'src/session/read/load-session.ts',
    place: 'expression',
    code: 'snapshot?.version === stateVersion ? snapshot : undefined',
    replacement: 'snapshot',
  },
  {
    fault: 'recovery before orphans are gone',
    file: 'src/session/ownership/held-sessions.ts',
    place: 'statement',
    code: 'if (claim.isUnclean) await parts.killOrphans(live.id, { below: claim.epoch });',
    replacement: 'if (claim.isUnclean) void parts.killOrphans(live.id, { below: claim.epoch });',
  },
  {
    fault: 'session open to inputs before its take-over is over',
    file: 'src/session/ownership/held-sessions.ts',
    place: 'statement',
    code: 'await takeOver(live);',
    replacement: 'keep(live); await takeOver(live);',
  },
  {
    fault: 'suspended session not released',
    file: 'src/session/ownership/create-sessions.ts',
    place: 'statement',
    code: "if (live !== undefined) void unattended('giving up', session, () => held.letGo(live));",
    replacement: ';',
  },
  {
    fault: 'claim of a suspended session never released',
    file: 'src/session/ownership/held-sessions.ts',
    place: 'statement',
    code: 'await live.claim.release({ isUnclean });',
    replacement: ';',
  },
  {
    fault: 'stale handle ends the claim of a later one',
    file: 'src/journal/process-leases.ts',
    place: 'statement',
    code: 'if (held.get(session) !== epoch) return;',
    replacement: ';',
  },
  {
    fault: 'tools run on while the store is locked past the lease',
    file: 'src/session/live/start-session.ts',
    place: 'expression',
    code: "leases.standing() === 'lapsed' ? halt() : undefined",
    replacement: 'undefined',
  },
  {
    fault: 'wake-up cursor moved before the read succeeded',
    file: 'src/journal/sqlite/wake-ups.ts',
    place: 'expression',
    code: 'commits.size === 0 ? undefined : trail.others()',
    replacement: '((others) => (others.confirm(), (dataVersion = version), others))(trail.others())',
  },
  {
    fault: 'references of older records read in one go',
    file: 'src/journal/sqlite/sweep-blobs.ts',
    place: 'expression',
    code: 'from + recordsAtOnce',
    replacement: 'last',
  },
  {
    fault: 'removal that fails keeps its claim',
    file: 'src/upkeep/remove-session.ts',
    place: 'statement',
    code: 'claims.push(claim);',
    replacement: ';',
  },
  {
    fault: 'job of a removed parent stops its server',
    file: 'src/workers/launch.ts',
    place: 'statement',
    code: "if (!(error instanceof Fault) || error.code !== 'not-found') throw error;",
    replacement: 'throw error;',
  },
  {
    fault: 'fork loses an origin that is being removed',
    file: 'src/journal/sqlite/write-upkeep.ts',
    place: 'statement',
    code: "if (forks.some(({ session }) => !op[4].includes(session))) return 'changed';",
    replacement: ';',
  },
  {
    fault: 'fork of an origin that is gone',
    file: 'src/journal/sqlite/write-append.ts',
    place: 'statement',
    code: "if (missing !== undefined) return { type: 'origin-missing', session: missing as SessionId };",
    replacement: ';',
  },
  {
    fault: 'session claimed again by the process that owns it',
    file: 'src/journal/process-leases.ts',
    place: 'expression',
    code: "held.has(session) ? ({ type: 'held', owner: self() } as const) : claimFree(session, offers)",
    replacement: 'claimFree(session, offers)',
  },
  {
    fault: 'hand-over without waiting for its boundary',
    file: 'src/session/ownership/create-sessions.ts',
    place: 'statement',
    code: 'await (withinMs === undefined ? live.boundary() : waitWithin(live.boundary(), withinMs, clock));',
    replacement: ';',
  },
  {
    fault: 'session released while its effects still end',
    file: 'src/session/live/start-session.ts',
    place: 'statement',
    code: 'return dropped;',
    replacement: 'return [];',
  },
  {
    fault: 'children of a living owner taken for orphans',
    file: 'src/assembly/sessions/orphans.ts',
    place: 'expression',
    code: 'isOwned ? head.epoch : head.epoch + 1',
    replacement: 'head.epoch + 1',
  },
  {
    fault: 'deadline of a job follows the time of day',
    file: 'src/journal/job-queue-deadline.ts',
    place: 'expression',
    code: 'Math.abs(steady - deadline) < leastStepMs ? row : { ...row, deadline: steady }',
    replacement: 'row',
  },
  {
    fault: 'observer that throws',
    file: 'src/session/ownership/create-sessions.ts',
    place: 'statement',
    code: 'onProblem(`an observer of session ${session} failed`, { session, error: String(error) });',
    replacement: 'throw error;',
  },
  {
    fault: 'telemetry that throws',
    file: 'src/runtime/start-effect.ts',
    place: 'statement',
    code: "capabilities.logger.log('error', 'telemetry failed', { effect, error: errorName(error) });",
    replacement: 'throw error;',
  },
  {
    fault: "number that JSON can't hold",
    file: 'src/session/handle/check-input.ts',
    place: 'expression',
    code: 'jsonProblem(input)',
    replacement: 'undefined',
  },
  {
    fault: 'files restored before their checkpoint is recorded',
    file: 'src/runtime/restore-files.ts',
    place: 'statement',
    code: "return { type: 'restore-prepared', effect, attempt, before: taken };",
    replacement:
      "await checkpoints.restore(state, checkpoint, taken);\n        return { type: 'restore-prepared', effect, attempt, before: taken };",
  },
  {
    fault: 'letter not settled by its append',
    file: 'src/session/mailbox/commit-letters.ts',
    place: 'statement',
    code: 'if (settles.length > 0) request.settles = settles;',
    replacement: ';',
  },
  {
    fault: 'letter of an unknown kind taken',
    file: 'src/session/remote/serve-letters.ts',
    place: 'statement',
    code: 'if (!isInputType(type)) return inbox.bury(message.id, refusedAs(unknownKind(type, reader)));',
    replacement: ';',
  },
  {
    fault: 'unreadable letter blocks later ones',
    file: 'src/session/remote/serve-letters.ts',
    place: 'statement',
    code: "if (letter === undefined) return inbox.bury(message.id, refusedAs('The letter can’t be read.'));",
    replacement: 'if (letter === undefined) throw new TypeError(message.body);',
  },
  {
    fault: 'looking for work wakes sessions that wait',
    file: 'src/journal/memory/leases.ts',
    place: 'expression',
    code: 'owner === undefined ? isLeftOpen : inFlight',
    replacement: 'owner === undefined || inFlight',
  },
  {
    fault: 'locked store suspends its sessions',
    file: 'src/session/mailbox/append-patiently.ts',
    place: 'expression',
    code: "error.code !== 'busy' || isOver()",
    replacement: "error.code !== 'busy' || isOver() || ms > firstPauseMs",
  },
  {
    fault: 'owner whose count stands still is never gone',
    file: 'src/journal/owner-watch.ts',
    place: 'expression',
    code: 'at - before.since >= leaseMs',
    replacement: 'false',
  },
  {
    fault: 'tool started after its turn was cancelled',
    file: 'src/runtime/run-tool.ts',
    place: 'statement',
    code: "if (context.signal.aborted) return settled(effort, { type: 'cancelled' });",
    replacement: ';',
  },
  {
    fault: 'leftovers of blobs never deleted',
    file: 'src/journal/file-blobs.ts',
    place: 'expression',
    code: '!/\\.(part|away)$/.test(name)',
    replacement: 'true',
  },
  {
    fault: 'unfinished jobs found by reading all jobs',
    file: 'src/journal/sqlite/job-queue-tables.ts',
    place: 'expression',
    code: "'ended_at IS NULL'",
    replacement: "'+ended_at IS NULL'",
  },
  {
    fault: 'process table checked in one go',
    file: 'src/processes/process-table.ts',
    place: 'statement',
    code: 'if (index % AT_ONCE === AT_ONCE - 1) await breathe();',
    replacement: ';',
  },
  {
    fault: 'waits late by the time that the machine slept',
    file: 'src/runtime/system-clock.ts',
    place: 'statement',
    code: 'for (const arm of armed) arm();',
    replacement: ';',
  },
  {
    fault: 'snapshot of another epoch kept',
    file: 'src/journal/sqlite/write-batch.ts',
    place: 'expression',
    code: 'head.epoch !== epoch || seq > head.seq',
    replacement: 'seq > head.seq',
  },
];

export function namedMutants(root: string): readonly Mutant[] {
  return named.map(({ fault, code, ...rest }) => {
    const text = readFileSync(path.join(root, rest.file), 'utf8');
    const start = text.indexOf(code);
    // The list is kept with the sources: update it if a location moves, never drop an entry silently.
    if (start < 0 || text.includes(code, start + 1)) {
      throw new Error(`The named mutant "${fault}" finds its code not once in ${rest.file}: ${code}`);
    }
    const line = text.slice(0, start).split('\n').length;
    return { ...rest, id: mutantId(fault), line, start, end: start + code.length, kind: fault };
  });
}
