/**
 * Datalog in Mangle's syntax, as data. A value is a number, or a string whose first character marks its kind:
 * `/name` for a name, `"text` for a string. So values compare with `===` and survive JSON.
 */
export type Value = string | number;

export type Term =
  | { readonly type: 'value'; readonly value: Value }
  | { readonly type: 'variable'; readonly name: string }
  | { readonly type: 'any' };

export interface Atom {
  readonly predicate: string;
  readonly terms: readonly Term[];
}

export type Operator = '=' | '!=' | '<' | '<=' | '>' | '>=';

export type Literal =
  | { readonly type: 'holds'; readonly atom: Atom }
  | { readonly type: 'absent'; readonly atom: Atom }
  | { readonly type: 'compare'; readonly operator: Operator; readonly left: Term; readonly right: Term };

/** A rule, or a fact if the body is empty. */
export interface Clause {
  readonly head: Atom;
  readonly body: readonly Literal[];
  readonly place: ProgramPlace;
}

interface ProgramPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export interface ProgramProblem extends ProgramPlace {
  readonly message: string;
}

export interface Fact {
  readonly predicate: string;
  readonly values: readonly Value[];
}

export function nameValue(name: string): Value {
  return `/${name}`;
}

/** A name or string without its mark. */
export function plainText(value: Value): string {
  return typeof value === 'number' ? String(value) : value.slice(1);
}

export function valueToText(value: Value): string {
  return typeof value === 'string' && value.startsWith('"') ? JSON.stringify(value.slice(1)) : String(value);
}

export function factToText({ predicate, values }: Fact): string {
  return `${predicate}(${values.map(valueToText).join(', ')})`;
}

export function clauseToText({ head, body }: Pick<Clause, 'head' | 'body'>): string {
  return body.length === 0
    ? `${atomToText(head)}.`
    : `${atomToText(head)} :- ${body.map(literalToText).join(', ')}.`;
}

function literalToText(literal: Literal): string {
  switch (literal.type) {
    case 'holds':
      return atomToText(literal.atom);
    case 'absent':
      return `!${atomToText(literal.atom)}`;
    case 'compare':
      return `${termToText(literal.left)} ${literal.operator} ${termToText(literal.right)}`;
  }
}

export function placeToText({ file, line, column }: ProgramPlace): string {
  return `${file}:${line}:${column}`;
}

function atomToText({ predicate, terms }: Atom): string {
  return `${predicate}(${terms.map(termToText).join(', ')})`;
}

function termToText(term: Term): string {
  switch (term.type) {
    case 'value':
      return valueToText(term.value);
    case 'variable':
      return term.name;
    case 'any':
      return '_';
  }
}
