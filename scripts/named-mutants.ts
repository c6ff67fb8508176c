/**
 * Faults that tests once missed. Each stays here, with its current location, so that no later
 * change of the tests misses it again.
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
