/** Parses time spans and data sizes: `30d`, `12h`, `10MB`. */
import { usageError } from './usage-error.ts';

const times: Units = new Map(Object.entries({ m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 }));
const sizes: Units = new Map(Object.entries({ b: 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 }));

type Units = ReadonlyMap<string, number>;

export function timeFrom(flag: string, text: string | undefined): number | undefined {
  return amountFrom(text, times, () =>
    usageError(`--${flag} must be a duration such as 30d, 12h or 2w, not "${text}"`),
  );
}

export function sizeFrom(flag: string, text: string | undefined): number | undefined {
  return amountFrom(text, sizes, () =>
    usageError(`--${flag} must be a size such as 10MB or 500kB, not "${text}"`),
  );
}

function amountFrom(text: string | undefined, units: Units, problem: () => Error): number | undefined {
  if (text === undefined) return undefined;
  const [, amount, unit = ''] = /^(\d+(?:\.\d+)?)\s*([a-z]+)$/i.exec(text.trim()) ?? [];
  const factor = units.get(unit.toLowerCase());
  if (amount === undefined || factor === undefined) throw problem();
  return Number(amount) * factor;
}
