/**
 * How bad one part of a command could be, for the order in which people read it and the colour it gets. It follows
 * from the part's effect, which the gate judges by too.
 */
import type { CallFacts } from '../kernel/call.ts';
import { effectMeanings, exceeds, type Effect } from '../kernel/effect.ts';

export interface PartRisk {
  /** 0: it only reads. 3: it can't be undone. */
  readonly level: 0 | 1 | 2 | 3;
  /** What it does, after its text. */
  readonly effect?: string;
}

/** What is known of a part besides its text. */
export interface PartFacts {
  readonly text: string;
  readonly opaque?: boolean;
  /** Absent in what the first release recorded. */
  readonly effect?: Effect;
  /** Reasons why the gate calls it dangerous. */
  readonly dangers: readonly string[];
}

/** The parts of a command, each with the dangers that name it. */
export function partsOf({
  segments = [],
  dangers = [],
}: Pick<CallFacts, 'segments' | 'dangers'> = {}): readonly PartFacts[] {
  return segments.map((segment) => ({
    ...segment,
    dangers: dangers.filter(({ unit }) => unit === segment.text).map(({ reason }) => reason),
  }));
}

export function partRisk({ effect = 'unknown', opaque, dangers }: PartFacts): PartRisk {
  const [danger] = dangers;
  if (danger !== undefined) return { level: 3, effect: danger };
  if (opaque === true) return { level: 3, effect: 'runs code that can’t be read beforehand' };
  if (effect === 'look') return { level: 0 };
  const { risk, words } = effectMeanings[effect];
  return { level: levels[risk], effect: words };
}

const levels = { neutral: 1, amber: 2, crimson: 3 } as const;

/** The first of the worst; undefined where there is no part. */
export function worstPart<Part extends PartFacts>(parts: readonly Part[]): Part | undefined {
  let worst: Part | undefined;
  for (const part of parts) if (worst === undefined || isWorse(part, worst)) worst = part;
  return worst;
}

function isWorse(part: PartFacts, than: PartFacts): boolean {
  const [level, other] = [partRisk(part).level, partRisk(than).level];
  if (level !== other) return level > other;
  return exceeds(part.effect ?? 'unknown', than.effect ?? 'unknown');
}
