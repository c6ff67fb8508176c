/**
 * Selects the atoms for a context.
 *
 * 1. Mandatory atoms that aren't blocked are in. Prohibited ones are out: dream-only atoms outside dream mode,
 *    dependents of a prohibited atom, and conflicts with a mandatory one.
 * 2. If two conflict or share an exclusive group, the higher score wins. Ties go to the smaller id.
 * 3. Dependencies are included unless prohibited. An atom with a missing dependency is dropped, and so are its
 *    dependents.
 * 4. The result doesn't depend on the order of the input. Every atom considered has a reason.
 */
import { blockedBy, scoreOf, type PromptAtom, type PromptContext } from '../words/prompt-atom.ts';

export interface AtomChoice {
  readonly atom: PromptAtom;
  readonly score: number;
  readonly reason: 'mandatory' | 'matched' | 'dependency';
  /** True if it, or a mandatory atom that depends on it, must be printed in full. */
  readonly required: boolean;
}

interface AtomDrop {
  readonly atom: PromptAtom;
  readonly reason: string;
}

type AtomSelection =
  | { readonly type: 'selected'; readonly chosen: readonly AtomChoice[]; readonly dropped: readonly AtomDrop[] }
  | { readonly type: 'invalid'; readonly problem: string };

export function selectAtoms(atoms: readonly PromptAtom[], context: PromptContext): AtomSelection {
  const { sorted, byId, problem, inConflict } = prepared(atoms);
  if (problem !== undefined) return { type: 'invalid', problem };

  const reasons = new Map<string, string>();
  const blocked = new Set<string>();
  for (const atom of sorted) {
    const dimension = blockedBy(atom, context);
    if (dimension !== undefined) {
      blocked.add(atom.id);
      reasons.set(atom.id, `no match in ${dimension}`);
    }
  }
  const mandatory = sorted.filter((atom) => atom.mandatory && !blocked.has(atom.id));
  const torn = mandatory.find((a) => mandatory.some((b) => a.id < b.id && inConflict(a, b)));
  if (torn !== undefined)
    return { type: 'invalid', problem: `the mandatory atom ${torn.id} conflicts with another mandatory one` };

  const prohibited = findProhibited(prepared(atoms), mandatory, context, reasons);
  const wanted = withDependencies(
    sorted.filter(({ id }) => !blocked.has(id) && !prohibited.has(id)),
    byId,
    prohibited,
  );
  const scores = new Map(wanted.map((atom) => [atom.id, scoreOf(atom, context)]));
  const kept = resolve(wanted, prepared(atoms), scores, reasons);
  const needed = neededBy(
    kept.filter(({ id }) => !blocked.has(id)),
    byId,
  );
  const required = neededBy(
    kept.filter((atom) => atom.mandatory),
    byId,
  );
  const chosen = kept
    .filter(({ id }) => needed.has(id))
    .map((atom): AtomChoice => ({
      atom,
      score: scores.get(atom.id) ?? 0,
      reason: blocked.has(atom.id) ? 'dependency' : atom.mandatory ? 'mandatory' : 'matched',
      required: required.has(atom.id),
    }));
  const inside = new Set(chosen.map(({ atom }) => atom.id));
  const dropped = sorted
    .filter(({ id }) => !inside.has(id))
    .map((atom) => ({ atom, reason: reasons.get(atom.id) ?? 'nothing that was chosen needs it' }));
  return { type: 'selected', chosen, dropped };
}

type ById = ReadonlyMap<string, PromptAtom>;

/** Properties of a list of atoms that don't depend on the context. */
interface PreparedAtoms {
  readonly sorted: readonly PromptAtom[];
  readonly byId: ById;
  readonly problem: string | undefined;
  inConflict(a: PromptAtom, b: PromptAtom): boolean;
}

const preparedLists = new WeakMap<readonly PromptAtom[], PreparedAtoms>();

function prepared(atoms: readonly PromptAtom[]): PreparedAtoms {
  const list = preparedLists.get(atoms);
  if (list !== undefined) return list;
  const byId = new Map(atoms.map((atom) => [atom.id, atom]));
  const sorted = [...byId.keys()].toSorted().flatMap((id) => byId.get(id) ?? []);
  // Most atoms conflict with nothing and needn't be compared with each other.
  const contentious = new Set(
    atoms.flatMap(({ id, exclusiveGroup, conflictsWith }) =>
      exclusiveGroup === undefined && conflictsWith.length === 0 ? [] : [id, ...conflictsWith],
    ),
  );
  const made: PreparedAtoms = {
    sorted,
    byId,
    problem: findProblem(atoms, sorted, byId),
    inConflict: (a, b) => contentious.has(a.id) && contentious.has(b.id) && clash(a, b),
  };
  preparedLists.set(atoms, made);
  return made;
}

function findProblem(atoms: readonly PromptAtom[], sorted: readonly PromptAtom[], byId: ById): string | undefined {
  if (atoms.length !== sorted.length) {
    const ids = atoms.map(({ id }) => id).toSorted();
    return `there are two atoms with the id ${ids.find((id, index) => ids[index + 1] === id)}`;
  }
  const done = new Set<string>();
  const visit = (id: string, path: readonly string[]): string | undefined => {
    const at = path.indexOf(id);
    if (at !== -1) return `atoms depend on each other in a circle: ${[...path.slice(at), id].join(' → ')}`;
    if (done.has(id)) return undefined;
    for (const next of (byId.get(id)?.dependsOn ?? []).toSorted()) {
      const cycle = visit(next, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    done.add(id);
    return undefined;
  };
  for (const { id } of sorted) {
    const cycle = visit(id, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

function findProhibited(
  { sorted, byId, inConflict }: PreparedAtoms,
  mandatory: readonly PromptAtom[],
  context: PromptContext,
  reasons: Map<string, string>,
): ReadonlySet<string> {
  const prohibited = new Set<string>();
  const prohibit = (id: string, reason: string): void => {
    prohibited.add(id);
    reasons.set(id, reason);
  };
  const isDream = context.operational_mode?.includes('dream') === true;
  for (const atom of sorted) {
    const modes = atom.when.operational_mode;
    if (!isDream && modes !== undefined && modes.every((mode) => mode === 'dream'))
      prohibit(atom.id, 'for dream mode only');
    const winner = atom.mandatory ? undefined : mandatory.find((other) => inConflict(atom, other));
    if (winner !== undefined) prohibit(atom.id, `conflicts with the mandatory ${winner.id}`);
  }
  for (let before = -1; before !== prohibited.size;) {
    before = prohibited.size;
    for (const atom of sorted) {
      const bad = prohibited.has(atom.id)
        ? undefined
        : atom.dependsOn.find((id) => prohibited.has(id) && byId.has(id));
      if (bad !== undefined) prohibit(atom.id, `depends on ${bad}, which is prohibited`);
    }
  }
  return prohibited;
}

function withDependencies(
  start: readonly PromptAtom[],
  byId: ById,
  prohibited: ReadonlySet<string>,
): readonly PromptAtom[] {
  return [...neededBy(start, byId)]
    .toSorted()
    .flatMap((id) => byId.get(id) ?? [])
    .filter(({ id }) => !prohibited.has(id));
}

/** The ids of these atoms and of all their dependencies. */
function neededBy(start: readonly PromptAtom[], byId: ById): ReadonlySet<string> {
  const needed = new Set(start.map(({ id }) => id));
  for (const id of needed) for (const next of byId.get(id)?.dependsOn ?? []) if (byId.has(next)) needed.add(next);
  return needed;
}

/**
 * Greedy from the highest score. An atom that lost a dependency is dropped, and the rest is resolved again without
 * it.
 */
function resolve(
  wanted: readonly PromptAtom[],
  { byId, inConflict }: PreparedAtoms,
  scores: ReadonlyMap<string, number>,
  reasons: Map<string, string>,
): readonly PromptAtom[] {
  const scoreOfKnown = ({ id }: PromptAtom): number => scores.get(id) ?? 0;
  const order = wanted.toSorted(
    (a, b) =>
      Number(b.mandatory) - Number(a.mandatory) || scoreOfKnown(b) - scoreOfKnown(a) || (a.id < b.id ? -1 : 1),
  );
  const out = new Map<string, string>();
  for (;;) {
    const kept: PromptAtom[] = [];
    const lost = new Map<string, string>();
    for (const atom of order) {
      if (out.has(atom.id)) continue;
      const winner = kept.find((other) => inConflict(atom, other));
      if (winner === undefined) kept.push(atom);
      else lost.set(atom.id, lossTo(winner, atom));
    }
    const inside = new Set(kept.map(({ id }) => id));
    const broken = kept.filter(({ dependsOn }) => dependsOn.some((id) => !inside.has(id)));
    if (broken.length === 0) {
      for (const [id, reason] of [...lost, ...out]) reasons.set(id, reason);
      return kept;
    }
    for (const { id, dependsOn } of broken) {
      const missing = dependsOn.find((each) => !inside.has(each)) ?? '';
      out.set(
        id,
        byId.has(missing) ? `its dependency ${missing} was dropped` : `its dependency ${missing} is missing`,
      );
    }
  }
}

function clash(a: PromptAtom, b: PromptAtom): boolean {
  if (a.id === b.id) return false;
  if (a.exclusiveGroup !== undefined && a.exclusiveGroup === b.exclusiveGroup) return true;
  return a.conflictsWith.includes(b.id) || b.conflictsWith.includes(a.id);
}

function lossTo(winner: PromptAtom, { exclusiveGroup }: PromptAtom): string {
  return exclusiveGroup !== undefined && winner.exclusiveGroup === exclusiveGroup
    ? `${winner.id} was taken for ${exclusiveGroup}`
    : `conflicts with ${winner.id}`;
}
