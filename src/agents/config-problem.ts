import { configPathToText, type ConfigPath } from './config-path.ts';

/** One thing wrong with a configuration, as a value: which file, where in it, what, and what was meant. */
export interface ConfigProblem {
  readonly code: ConfigProblemCode;
  readonly file: string;
  /** From 1; 0 where the file as a whole is meant. */
  readonly line: number;
  readonly column: number;
  /** The place in the document, such as `agents.coder.model`; empty for the document itself. */
  readonly path: string;
  readonly message: string;
  /** The valid name closest to what was written. */
  readonly nearest?: string;
}

export type ConfigProblemCode =
  | 'unreadable'
  | 'syntax'
  | 'unknown-key'
  | 'wrong-type'
  | 'bad-rule'
  | 'missing-variable'
  | 'dangling'
  | 'defined-twice';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** Where a value stands: what a problem about it needs to name. */
export interface PlacedAt extends Place {
  readonly file: string;
}

export const wholeFile: Place = { line: 0, column: 0 };

/** `rondo.json:3:14 agents.coder.model: there is no model "fats"; did you mean "fast"?` */
export function problemToText(problem: ConfigProblem): string {
  const place = problem.line === 0 ? problem.file : `${problem.file}:${problem.line}:${problem.column}`;
  return problem.path === '' ? `${place}: ${problem.message}` : `${place} ${problem.path}: ${problem.message}`;
}

export function problemAt(
  at: PlacedAt,
  path: ConfigPath,
  code: ConfigProblemCode,
  message: string,
  nearest?: string,
): ConfigProblem {
  return {
    code,
    file: at.file,
    line: at.line,
    column: at.column,
    path: configPathToText(path),
    message,
    ...(nearest !== undefined && { nearest }),
  };
}
