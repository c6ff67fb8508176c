import { forEachChild, parse, type ParsedScript, type SyntaxNode } from 'unbash';

import type { Unparsed } from './segment.ts';
import { doesArithmetic, leavesOutText, quotesCode, type Surrounding, suspicionAbout } from './shell-audit.ts';

type ShellTree = { readonly type: 'tree'; readonly script: ParsedScript };

/**
 * Parses a bash command line into a syntax tree. The parser recovers from errors and resolves parts of the tree on
 * first access, so this walks the whole tree once. Any error, and anything the audit rejects, makes the line
 * `unparsed`. Never throws.
 */
export function readShellTree(source: string): ShellTree | Unparsed {
  const nul = source.indexOf('\0');
  if (nul !== -1) return unparsed('contains a NUL byte', nul);
  if (isCostly(source)) return unparsed('too many braces or brackets in one place', 0);
  try {
    const script = parse(source);
    return firstFlaw(script, source) ?? { type: 'tree', script };
  } catch (error) {
    return unparsed(error instanceof Error ? error.message : String(error), 0);
  }
}

// The parser searches for the end of each brace and bracket separately: thousands in a row would take minutes.
function isCostly(source: string): boolean {
  if (source.length < 500) return false;
  if (source.split('$[').length > 50) return true;
  return source.split(/\s/).some((stretch) => stretch.length > 500 && stretch.split(/[{[]/).length > 500);
}

type Visit = {
  readonly node: SyntaxNode;
  readonly inside: Surrounding;
  readonly source: string;
  /** The outermost substitution around the node. */
  readonly substitution?: { hereDocs: number };
};

const SUBSTITUTIONS: ReadonlySet<SyntaxNode['type']> = new Set([
  'CommandExpansion',
  'ProcessSubstitution',
  'ArithmeticCommandExpansion',
]);

// Uses an explicit stack: `1+1+1+…` nests as deep as it is long.
function firstFlaw(script: ParsedScript, whole: string): Unparsed | undefined {
  const pending: Visit[] = [{ node: script, inside: 'command', source: whole }];
  let arithmetic = false;
  let quotedCode: number | undefined;
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { node } = entry;
    if (node.type === 'Script') {
      const [error] = node.errors ?? [];
      if (error !== undefined) return unparsed(error.message, error.pos);
    }
    const source = node.type === 'Script' ? (node.source ?? entry.source) : entry.source;
    const suspicion = suspicionAbout(node, entry.inside) ?? leavesOutText(node, source);
    if (suspicion !== undefined) return unparsed(suspicion, node.pos);
    const substitution = entry.substitution ?? (SUBSTITUTIONS.has(node.type) ? { hereDocs: 0 } : undefined);
    if (node.type === 'HereDoc' && substitution !== undefined) substitution.hereDocs += 1;
    if ((substitution?.hereDocs ?? 0) > 1) return unparsed('several here-documents in one substitution', node.pos);
    arithmetic ||= doesArithmetic(node);
    if (quotesCode(node)) quotedCode ??= node.pos;
    const inside = surroundingOf(node, entry.inside);
    forEachChild(node, (child) =>
      pending.push({ node: child, inside, source, ...(substitution === undefined ? {} : { substitution }) }),
    );
  }
  return arithmetic && quotedCode !== undefined
    ? unparsed('quoted code next to arithmetic, which could run it', quotedCode)
    : undefined;
}

function surroundingOf(parent: SyntaxNode, inside: Surrounding): Surrounding {
  if (parent.type === 'Script') return 'command';
  if (parent.type === 'TestBinary' && parent.operator === '=~') return 'regular-expression';
  return QUOTES_ARE_TEXT.has(parent.type) ? 'expansion' : inside;
}

const QUOTES_ARE_TEXT: ReadonlySet<SyntaxNode['type']> = new Set([
  'HereDocBody',
  'ParameterExpansion',
  'ArithmeticExpansion',
  'ArithmeticWord',
]);

function unparsed(reason: string, at: number): Unparsed {
  return { type: 'unparsed', reason, at };
}
