/**
 * The risk of one part of a command. It determines reading order and color, and follows from the part's effect,
 * which the gate evaluates too.
 */
import type { CallFacts } from '../kernel/call.ts';
import { effectMeanings, exceeds, type Effect } from '../kernel/effect.ts';
import { partsOfCall } from '../kernel/policy/call-units.ts';
import { deletedBy, writtenBy } from './part-target.ts';

interface PartRisk {
  /** 0: only reads. 3: can't be undone. */
  readonly level: 0 | 1 | 2 | 3;
  /** A short description of its effect, shown after its text. */
  readonly effect?: string;
}

/** Facts about a part beyond its text. */
export interface PartFacts {
  readonly text: string;
  readonly opaque?: boolean;
  /** Absent in records of the first release. */
  readonly effect?: Effect;
  /** Why the gate considers it dangerous. */
  readonly dangers: readonly string[];
}

/** The parts of a command, with the files that it writes, and the dangers that name each. */
export function partsOf(facts: AskedFacts = {}): readonly PartFacts[] {
  const { segments = [], dangers = [] } = facts;
  if (segments.length === 0) return [];
  return partsOfCall(facts).map((part) => ({
    ...part,
    dangers: dangers.filter(({ unit }) => unit === part.text).map(({ reason }) => reason),
  }));
}

type AskedFacts = Pick<CallFacts, 'segments' | 'paths' | 'urls' | 'dangers'>;

export function partRisk({ text, effect = 'unknown', opaque, dangers }: PartFacts): PartRisk {
  const [danger] = dangers;
  if (danger !== undefined) return { level: 3, effect: danger };
  if (opaque === true) return { level: 3, effect: 'runs code that can’t be read beforehand' };
  if (effect === 'look') return { level: 0 };
  // Rondo keeps a copy of what it deletes, so the gate counts it as an edit. A person still sees a deletion.
  if (effect === 'edit' && deletedBy(text) !== undefined)
    return { level: 2, effect: 'deletes files, of which Rondo keeps a copy' };
  // Git restores an edited file, but a file that wasn't there before stays.
  const mayCreate = effect === 'edit' && writtenBy(text) !== undefined;
  const { risk, words } = effectMeanings[effect];
  return { level: mayCreate ? levels.amber : levels[risk], effect: words };
}

const levels = { neutral: 1, amber: 2, crimson: 3 } as const;

const mostNamed = 2;

/** The parts that a sentence names, worst first. Parts that only read count only if there are no others. */
export function worstParts<Part extends PartFacts>(parts: readonly Part[]): readonly Part[] {
  const changing = parts.filter((part) => partRisk(part).level > 0);
  return (changing.length === 0 ? parts : changing)
    .toSorted((a, b) => partRisk(b).level - partRisk(a).level)
    .slice(0, mostNamed);
}

/** The first of the riskiest parts. Undefined if there are none. */
export function worstPart<Part extends PartFacts>(parts: readonly Part[]): Part | undefined {
  let worst: Part | undefined;
  for (const part of parts) if (worst === undefined || isWorse(part, worst)) worst = part;
  return worst;
}

/** As the gate orders them: a danger, then the effect. */
function isWorse(part: PartFacts, than: PartFacts): boolean {
  const [isLasting, isOtherLasting] = [partRisk(part).level === 3, partRisk(than).level === 3];
  if (isLasting !== isOtherLasting) return isLasting;
  return exceeds(part.effect ?? 'unknown', than.effect ?? 'unknown');
}
