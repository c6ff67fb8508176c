import { Fault, type FaultCode } from '../kernel/fault.ts';

/** A SQLite or system error in a form that threads can exchange. */
export interface StoreFailure {
  readonly code: string;
  readonly message: string;
}

/** What failed, in which file, and what to do next. */
export function faultOf(failure: StoreFailure, doing: string, path: string, cause?: unknown): Fault {
  if (failure.code.startsWith(ownFault)) {
    return new Fault(failure.code.slice(ownFault.length) as FaultCode, failure.message, { cause });
  }
  const { code, advice } = kinds.find(({ test }) => test.test(failure.code)) ?? unknownKind;
  const detail = `${failure.message}${failure.code === '' ? '' : ` (${failure.code})`}`;
  return new Fault(code, `${doing} in ${path} failed: ${advice} Detail: ${detail}.`, { cause });
}

export function failureOf(error: unknown): StoreFailure {
  if (error instanceof Fault) return { code: `${ownFault}${error.code}`, message: error.message };
  if (!(error instanceof Error)) return { code: '', message: String(error) };
  return { code: 'code' in error ? String(error.code) : '', message: error.message };
}

/** Runs work on the database and turns its errors into faults. Faults and bugs pass unchanged. */
export function orFault<Value>(doing: string, path: string, work: () => Value): Value {
  try {
    return work();
  } catch (error) {
    const failure = failureOf(error);
    throw error instanceof Fault || failure.code === '' ? error : faultOf(failure, doing, path, error);
  }
}

/** Marks our own fault on its way between threads. */
const ownFault = 'rondo:';

interface Kind {
  readonly test: RegExp;
  readonly code: FaultCode;
  readonly advice: string;
}

const kinds: readonly Kind[] = [
  {
    test: /^(SQLITE_FULL|SQLITE_IOERR_SHMSIZE|ENOSPC|EDQUOT)$/,
    code: 'disk-full',
    advice: 'the disk is full. Nothing of it was written; free some space and try again.',
  },
  {
    test: /^(SQLITE_READONLY.*|EROFS|EACCES|EPERM)$/,
    code: 'read-only',
    advice: 'it may not be written. Nothing was changed; give this user write access to the file and its folder.',
  },
  {
    test: /^(SQLITE_CANTOPEN.*|ENOENT|ENOTDIR|EISDIR)$/,
    code: 'not-found',
    advice: 'the file cannot be opened. Check that its folder exists and may be read.',
  },
  {
    test: /^SQLITE_NOTADB$/,
    code: 'unreadable',
    advice: 'the file is not a database. Nothing was changed; give another path or put a backup in its place.',
  },
  {
    test: /^SQLITE_CORRUPT.*$/,
    code: 'damaged',
    advice: 'the database file is damaged. Stop writing to it, keep a copy, and run `rondo doctor`.',
  },
  {
    test: /^SQLITE_(BUSY|LOCKED).*$/,
    code: 'busy',
    advice: 'another program keeps the database locked. Nothing was written; close that program and try again.',
  },
  {
    test: /^SQLITE_IOERR.*$/,
    code: 'unreadable',
    advice: 'the file system refused. Nothing was acknowledged; check the disk and try again.',
  },
];

const unknownKind = {
  code: 'internal',
  advice: 'it failed unexpectedly. Nothing of it was acknowledged.',
} as const;
