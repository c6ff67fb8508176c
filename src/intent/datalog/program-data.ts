/**
 * Converts a prepared program to plain data and back, so that a program known in advance needn't be parsed, checked
 * and evaluated in every process. `programFromData(programToData(p))` gives the same answers as `p`.
 */
import type { CompiledClause } from './compile-clause.ts';
import type { FactDatabase, Derivation, Program } from './evaluate.ts';
import type { Value } from './program.ts';
import { createRelation, tupleKey } from './relation.ts';

type Tuples = readonly (readonly Value[])[];

export interface ProgramData {
  readonly strata: readonly (readonly CompiledClause[])[];
  readonly given: Readonly<Record<string, Tuples>>;
  readonly derived: Readonly<Record<string, readonly DerivedTuple[]>>;
}

/** A conclusion, the stratum and rule that derived it, and the values of that rule's slots. */
type DerivedTuple = readonly [tuple: readonly Value[], stratum: number, rule: number, slots: readonly Value[]];

export function programToData({ strata, given, base }: Program): ProgramData {
  const placeOf = ({ by }: Derivation): readonly [number, number] => {
    const stratum = strata.findIndex((rules) => rules.includes(by));
    return [stratum, strata[stratum]?.indexOf(by) ?? -1];
  };
  const derivedOf = ([predicate, derivations]: readonly [string, ReadonlyMap<string, Derivation>]): readonly [
    string,
    readonly DerivedTuple[],
  ] => {
    const tuples = base.relations.get(predicate)?.tuples ?? [];
    const entries = tuples.flatMap((tuple): readonly DerivedTuple[] => {
      const derivation = derivations.get(tupleKey(tuple));
      return derivation === undefined ? [] : [[tuple, ...placeOf(derivation), derivation.slots]];
    });
    return [predicate, entries];
  };
  return {
    strata,
    given: Object.fromEntries([...given].map(([predicate, tuples]) => [predicate, withoutRepeats(tuples)])),
    derived: Object.fromEntries([...base.derivations].map(derivedOf)),
  };
}

function withoutRepeats(tuples: Tuples): Tuples {
  return [...new Map(tuples.map((tuple) => [tupleKey(tuple), tuple])).values()];
}

export function programFromData({ strata, given, derived }: ProgramData): Program {
  return { strata, given: new Map(Object.entries(given)), base: baseOf({ strata, given, derived }) };
}

function baseOf({ strata, given, derived }: ProgramData): FactDatabase {
  const relations = new Map(Object.entries(given).map(([name, tuples]) => [name, createRelation(tuples)]));
  const derivations = new Map<string, Map<string, Derivation>>();
  for (const [predicate, entries] of Object.entries(derived)) {
    const reasons = new Map<string, Derivation>();
    for (const [tuple, stratum, rule, slots] of entries) {
      const by = strata[stratum]?.[rule];
      if (by !== undefined) reasons.set(tupleKey(tuple), { by, slots });
    }
    derivations.set(predicate, reasons);
    const all = [...(given[predicate] ?? []), ...entries.map(([tuple]) => tuple)];
    relations.set(predicate, createRelation(all));
  }
  return { relations, derivations };
}
