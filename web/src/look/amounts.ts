/** Amounts in the few characters that a list has room for. */
export function tokensText(count: number): string {
  if (count < 1000) return String(count);
  if (count < 999_500) return `${trimmed(count / 1000)} k`;
  return `${trimmed(count / 1_000_000)} M`;
}

/** An unknown price is never shown as nothing. */
export function costText(cost: number, isKnown = true): string {
  if (cost === 0) return isKnown ? '$0' : 'unknown';
  const text = cost < 0.01 ? '<$0.01' : cost < 100 ? `$${cost.toFixed(2)}` : `$${Math.round(cost)}`;
  return isKnown ? text : `≥ ${text}`;
}

export function sizeText(characters: number): string {
  if (characters < 1000) return `${characters} characters`;
  return characters < 1_000_000 ? `${trimmed(characters / 1000)} kB` : `${trimmed(characters / 1_000_000)} MB`;
}

function trimmed(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toFixed(1)));
}
