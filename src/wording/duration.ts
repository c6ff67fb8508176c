const units = [
  { ms: 86_400_000, name: 'd' },
  { ms: 3_600_000, name: 'h' },
  { ms: 60_000, name: 'm' },
] as const;

/** `3 d`, `2 h`, `5 m`, `12 s`, `0.4 s`: the largest unit that fits, for people. */
export function durationText(ms: number): string {
  const unit = units.find((candidate) => ms >= candidate.ms);
  if (unit !== undefined) return `${Math.floor(ms / unit.ms)} ${unit.name}`;
  return ms < 9_950 ? `${(Math.max(0, ms) / 1000).toFixed(1)} s` : `${Math.floor(ms / 1000)} s`;
}
