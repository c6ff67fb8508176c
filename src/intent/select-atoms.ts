/**
 * Which atoms a context calls for.
 *
 * 1. Mandatory and not blocked is in. Prohibited is out: dream-only atoms outside dream mode, what depends on a
 *    prohibited one, what conflicts with a mandatory one.
 * 2. Of two that conflict, or share an exclusive group, the higher score wins; of equals the smaller id.
 * 3. Dependencies come along unless prohibited; an atom whose dependency is missing goes, and so on upwards.
 * 4. The result does not depend on the order of the input. Every atom considered has a reason.
 */
import { blockedBy, scoreOf, type PromptAtom, type PromptContext } from './prompt-atom.ts';

export interface AtomChoice {
  readonly atom: PromptAtom;
  readonly score: number;
  readonly reason: 'mandatory' | 'matched' | 'dependency';
  /** It, or something mandatory that depends on it, must be printed in full. */
  readonly required: boolean;
}

export interface AtomDrop {
  readonly atom: PromptAtom;
  readonly reason: string;
}

export type AtomSelection =
  | { readonly type: 'selected'; readonly chosen: readonly AtomChoice[]; readonly dropped: readonly AtomDrop[] }
  | { readonly type: 'invalid'; readonly problem: string };

export function selectAtoms(atoms: readonly PromptAtom[], context: PromptContext): AtomSelection {
  const sorted = atoms.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(sorted.map((atom) => [atom.id, atom]));
  const problem = findProblem(sorted, byId);
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
  const clash = mandatory.find((a) => mandatory.some((b) => a.id < b.id && inConflict(a, b)));
  if (clash !== undefined)
    return { type: 'invalid', problem: `the mandatory atom ${clash.id} conflicts with another mandatory one` };

  const prohibited = findProhibited(sorted, byId, mandatory, context, reasons);
  const wanted = withDependencies(
    sorted.filter(({ id }) => !blocked.has(id) && !prohibited.has(id)),
    byId,
    prohibited,
  );
  const kept = resolve(wanted, byId, context, reasons);
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
      score: scoreOf(atom, context),
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

function findProblem(sorted: readonly PromptAtom[], byId: ById): string | undefined {
  const twice = sorted.find((atom, index) => sorted[index + 1]?.id === atom.id);
  if (twice !== undefined) return `there are two atoms with the id ${twice.id}`;
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
  sorted: readonly PromptAtom[],
  byId: ById,
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

/** The ids of these atoms and of everything they depend on. */
function neededBy(start: readonly PromptAtom[], byId: ById): ReadonlySet<string> {
  const needed = new Set(start.map(({ id }) => id));
  for (const id of needed) for (const next of byId.get(id)?.dependsOn ?? []) if (byId.has(next)) needed.add(next);
  return needed;
}

/** Greedy from the highest score; whoever lost a dependency is out and the rest is judged again without it. */
function resolve(
  wanted: readonly PromptAtom[],
  byId: ById,
  context: PromptContext,
  reasons: Map<string, string>,
): readonly PromptAtom[] {
  const order = wanted.toSorted(
    (a, b) =>
      Number(b.mandatory) - Number(a.mandatory) ||
      scoreOf(b, context) - scoreOf(a, context) ||
      (a.id < b.id ? -1 : 1),
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

function inConflict(a: PromptAtom, b: PromptAtom): boolean {
  if (a.id === b.id) return false;
  if (a.exclusiveGroup !== undefined && a.exclusiveGroup === b.exclusiveGroup) return true;
  return a.conflictsWith.includes(b.id) || b.conflictsWith.includes(a.id);
}

function lossTo(winner: PromptAtom, { exclusiveGroup }: PromptAtom): string {
  return exclusiveGroup !== undefined && winner.exclusiveGroup === exclusiveGroup
    ? `${winner.id} was taken for ${exclusiveGroup}`
    : `conflicts with ${winner.id}`;
}
