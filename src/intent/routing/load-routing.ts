/**
 * Loads and checks the routing program. An unknown verb, persona, tool or predicate is a problem that names it, its
 * position and the nearest existing name.
 */
import { suggestName } from '../../kernel/nearest-name.ts';
import type { ConfigAtom } from '../words/config-atom.ts';
import { prepareProgram, type Program } from '../datalog/evaluate.ts';
import { parseProgram } from '../datalog/parse-program.ts';
import { nameValue, plainText, type Atom, type Clause, type ProgramProblem } from '../datalog/program.ts';
import { routingRules } from './routing-rules.ts';
import { toolAccess } from '../words/tool-access.ts';
import type { VerbTable } from '../words/verb.ts';

interface RoutingSources {
  readonly verbs: Pick<VerbTable, 'verbs' | 'aliases'>;
  readonly configs: readonly ConfigAtom[];
  /** Tools in addition to the built-in ones, such as those of an MCP server. */
  readonly tools?: readonly string[];
  readonly extensions?: readonly RoutingText[];
}

export interface RoutingText {
  readonly file: string;
  readonly text: string;
}

type LoadedRouting =
  | { readonly type: 'loaded'; readonly program: Program }
  | { readonly type: 'invalid'; readonly problems: readonly ProgramProblem[] };

export const shippedPersonas: readonly string[] = ['coder', 'tester', 'reviewer', 'researcher', 'general'];

export function loadRouting({ verbs, configs, tools = [], extensions = [] }: RoutingSources): LoadedRouting {
  const texts = [{ file: 'rondo/routing.mg', text: routingRules }, ...extensions];
  const parsed = texts.map(({ file, text }) => parseProgram(text, file));
  const unreadable = parsed.flatMap((each) => (each.type === 'invalid' ? each.problems : []));
  if (unreadable.length > 0) return { type: 'invalid', problems: unreadable };
  const written = parsed.flatMap((each) => (each.type === 'parsed' ? each.clauses : []));
  const facts = tableFacts(verbs, configs, tools);
  const unknown = checkNames(written, facts);
  if (unknown.length > 0) return { type: 'invalid', problems: unknown };
  const prepared = prepareProgram([...facts, ...written]);
  return prepared.type === 'invalid' ? prepared : { type: 'loaded', program: prepared.program };
}

function tableFacts(
  table: RoutingSources['verbs'],
  configs: readonly ConfigAtom[],
  more: readonly string[],
): readonly Clause[] {
  const fact = (predicate: string, ...values: readonly (string | number)[]): Clause => ({
    head: {
      predicate,
      terms: values.map((value) => ({
        type: 'value',
        value: typeof value === 'number' ? value : nameValue(value),
      })),
    },
    body: [],
    place: { file: 'tables', line: 0, column: 0 },
  });
  return [
    ...shippedPersonas.map((persona) => fact('persona', persona)),
    ...[...table.verbs.values()].map(({ name, category, persona, priority }) =>
      fact('verb', name, category, persona, priority),
    ),
    ...[...table.aliases].map(([name, verb]) => fact('alias', name, verb)),
    ...[...toolAccess].map(([tool, access]) => fact('tool', tool, access)),
    ...more.filter((tool) => !toolAccess.has(tool)).map((tool) => fact('tool', tool, 'unknown')),
    ...configs.flatMap((atom) => atom.tools.map((tool) => fact('grants', atom.for, tool))),
  ];
}

type Kind = 'verb' | 'persona' | 'tool' | 'category' | 'access' | 'mode' | 'reason' | 'verb or persona' | 'any';

/** The column types of the known predicates. */
const columns: Readonly<Record<string, readonly Kind[]>> = {
  verb: ['any', 'category', 'persona', 'any'],
  alias: ['any', 'verb'],
  persona: ['any'],
  tool: ['any', 'access'],
  grants: ['verb or persona', 'tool'],
  lead: ['verb'],
  asked: ['verb'],
  said: ['category'],
  mode: ['mode'],
  read_only: [],
  confirm: ['reason'],
  persona_of: ['persona'],
  serves: ['persona'],
  routed: ['verb'],
  offers: ['tool'],
  deny: ['tool'],
  ask: ['tool'],
  harmless: ['tool'],
  changing: ['access'],
  guarded: ['access'],
};

function checkNames(clauses: readonly Clause[], facts: readonly Clause[]): readonly ProgramProblem[] {
  const all = [...facts, ...clauses];
  const firsts = (predicate: string): ReadonlySet<string> =>
    new Set(
      all.flatMap(({ head, body }) => {
        const term = head.terms[0];
        return head.predicate === predicate && body.length === 0 && term?.type === 'value'
          ? [plainText(term.value)]
          : [];
      }),
    );
  const [verbs, personas, tools] = [firsts('verb'), firsts('persona'), firsts('tool')];
  const names: Readonly<Record<Exclude<Kind, 'any'>, ReadonlySet<string>>> = {
    verb: verbs,
    persona: personas,
    tool: tools,
    category: new Set(['query', 'mutation', 'instruction']),
    access: new Set(['read', 'write', 'execute', 'network', 'talk', 'unknown']),
    mode: new Set(['active', 'dream']),
    reason: new Set(['revert', 'mass-change']),
    'verb or persona': new Set([...verbs, ...personas]),
  };
  const predicates = new Set([...Object.keys(columns), ...all.map(({ head }) => head.predicate)]);

  const checkAtom = (atom: Atom, clause: Clause): ProgramProblem[] => {
    if (!predicates.has(atom.predicate)) {
      const message = `unknown predicate ${atom.predicate}${suggestName(atom.predicate, predicates)}`;
      return [{ ...clause.place, message }];
    }
    return atom.terms.flatMap((term, index): ProgramProblem[] => {
      const kind = columns[atom.predicate]?.[index] ?? 'any';
      if (kind === 'any' || term.type !== 'value' || names[kind].has(plainText(term.value))) return [];
      const name = plainText(term.value);
      return [{ ...clause.place, message: `unknown ${kind} "${name}"${suggestName(name, names[kind])}` }];
    });
  };
  return all.flatMap((clause) =>
    [clause.head, ...clause.body.flatMap((literal) => (literal.type === 'compare' ? [] : [literal.atom]))].flatMap(
      (atom) => checkAtom(atom, clause),
    ),
  );
}
