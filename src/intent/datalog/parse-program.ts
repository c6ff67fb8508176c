/**
 * Parses text into clauses. Names `/a/b`, strings in double quotes, numbers, variables with a capital, `_`, `!` for
 * negation, `= != < <= > >=`, `#` to the end of the line. A syntax error is a problem with its position. Parsing
 * continues after the next full stop, so that one run reports every mistake.
 */
import type { Atom, Clause, Literal, Operator, ProgramProblem, Term } from './program.ts';

type ParsedProgram =
  | { readonly type: 'parsed'; readonly clauses: readonly Clause[] }
  | { readonly type: 'invalid'; readonly problems: readonly ProgramProblem[] };

export function parseProgram(text: string, file: string): ParsedProgram {
  const clauses: Clause[] = [];
  const problems: ProgramProblem[] = [];
  const tokens = scan(text);
  let at = 0;
  while (tokens[at]?.type !== 'end') {
    const parsed = parseClause(tokens, at, file);
    if (parsed.type === 'clause') clauses.push(parsed.clause);
    else problems.push(parsed.problem);
    at = parsed.next;
  }
  return problems.length > 0 ? { type: 'invalid', problems } : { type: 'parsed', clauses };
}

type TokenType = 'name' | 'text' | 'number' | 'variable' | 'any' | 'word' | 'sign' | 'unknown' | 'end';

interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

const kinds: readonly TokenType[] = ['name', 'text', 'number', 'any', 'variable', 'word', 'sign', 'unknown'];
/** White space and comments, then one token. The matching group determines its kind. */
const shape =
  /(?:\s|#[^\n]*)*(?:(\/[A-Za-z0-9_%~@-]+(?:[./:][A-Za-z0-9_%~@-]+)*)|("(?:[^"\\\n]|\\.)*")|(-?\d+(?:\.\d+)?)|(_(?![A-Za-z0-9_]))|([A-Z][A-Za-z0-9_]*)|([a-z_][A-Za-z0-9_]*)|(:-|!=|<=|>=|[(),.!=<>])|(\S))/y;

function scan(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let lineStart = 0;
  let seen = 0;
  const advance = (to: number): void => {
    for (let at = text.indexOf('\n', seen); at !== -1 && at < to; at = text.indexOf('\n', at + 1)) {
      line += 1;
      lineStart = at + 1;
    }
    seen = to;
  };
  shape.lastIndex = 0;
  for (let match = shape.exec(text); match !== null; match = shape.exec(text)) {
    const group = match.findIndex((part, index) => index > 0 && part !== undefined);
    const token = match[group] ?? '';
    const start = shape.lastIndex - token.length;
    advance(start);
    tokens.push({ type: kinds[group - 1] ?? 'unknown', text: token, line, column: start - lineStart + 1 });
  }
  advance(text.length);
  tokens.push({ type: 'end', text: 'the end of the file', line, column: text.length - lineStart + 1 });
  return tokens;
}

type ParsedClause =
  | { readonly type: 'clause'; readonly clause: Clause; readonly next: number }
  | { readonly type: 'problem'; readonly problem: ProgramProblem; readonly next: number };

const operators: ReadonlySet<string> = new Set<Operator>(['=', '!=', '<', '<=', '>', '>=']);

function parseClause(tokens: readonly Token[], start: number, file: string): ParsedClause {
  let at = start;
  let problem: ProgramProblem | undefined;
  const end = tokens.at(-1) ?? { type: 'end', text: '', line: 1, column: 1 };
  const peek = (): Token => tokens[at] ?? end;
  const isSign = (text: string): boolean => peek().type === 'sign' && peek().text === text;
  const missing = (wanted: string): void => {
    const { line, column, text } = peek();
    problem ??= { file, line, column, message: `expected ${wanted}, found ${text}` };
  };
  const take = (text: string, wanted: string): void => {
    if (isSign(text)) at += 1;
    else missing(wanted);
  };

  const term = (): Term => {
    const { type, text } = peek();
    at += 1;
    if (type === 'variable') return { type: 'variable', name: text };
    if (type === 'any') return { type: 'any' };
    if (type === 'name') return { type: 'value', value: text };
    if (type === 'number') return { type: 'value', value: Number(text) };
    if (type === 'text') return { type: 'value', value: `"${unescape(text)}` };
    at -= 1;
    missing('a value, a variable or _');
    return { type: 'any' };
  };
  const atom = (): Atom => {
    const predicate = peek();
    if (predicate.type !== 'word') missing('the name of a predicate');
    else at += 1;
    take('(', '(');
    const terms: Term[] = [];
    while (problem === undefined && !isSign(')')) {
      if (terms.length > 0) take(',', ', or )');
      if (problem === undefined) terms.push(term());
    }
    take(')', ')');
    return { predicate: predicate.text, terms };
  };
  const literal = (): Literal => {
    if (isSign('!')) {
      at += 1;
      return { type: 'absent', atom: atom() };
    }
    if (peek().type === 'word') return { type: 'holds', atom: atom() };
    const left = term();
    const operator = peek();
    if (operator.type !== 'sign' || !operators.has(operator.text)) missing('a comparison');
    else at += 1;
    return { type: 'compare', operator: operator.text as Operator, left, right: term() };
  };

  const { line, column } = peek();
  const head = atom();
  const body: Literal[] = [];
  if (problem === undefined && isSign(':-')) {
    do {
      at += 1;
      body.push(literal());
    } while (problem === undefined && isSign(','));
  }
  take('.', body.length === 0 ? ':- or a full stop' : ', or a full stop');
  if (problem === undefined)
    return { type: 'clause', clause: { head, body, place: { file, line, column } }, next: at };
  while (peek().type !== 'end' && !isSign('.')) at += 1;
  return { type: 'problem', problem, next: peek().type === 'end' ? at : at + 1 };
}

function unescape(quoted: string): string {
  return quoted.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => ({ n: '\n', t: '\t' })[char] ?? char);
}
