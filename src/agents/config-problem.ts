import { optional } from '../kernel/optional.ts';
import { configPathToText, type ConfigPath } from './config-path.ts';

/** A problem in a configuration: file, position, message and the nearest valid name. */
export interface ConfigProblem {
  readonly code: ConfigProblemCode;
  readonly file: string;
  /** From 1; 0 for the whole file. */
  readonly line: number;
  readonly column: number;
  /** The path, such as `agents.coder.model`; empty for the document. */
  readonly path: string;
  readonly message: string;
  /** The closest valid name. */
  readonly nearest?: string;
}

type ConfigProblemCode =
  | 'unreadable'
  | 'syntax'
  | 'unknown-key'
  | 'wrong-type'
  | 'bad-rule'
  | 'missing-variable'
  | 'dangling'
  | 'defined-twice';

export interface TextPosition {
  readonly line: number;
  readonly column: number;
}

/** The position of a value, for problems about it. */
export interface PlacedAt extends TextPosition {
  readonly file: string;
}

export const wholeFile: TextPosition = { line: 0, column: 0 };

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
    ...optional({ nearest }),
  };
}
