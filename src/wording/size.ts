const units = [
  { bytes: 1024 ** 3, name: 'GB' },
  { bytes: 1024 ** 2, name: 'MB' },
] as const;

/** `812 B`, `12 kB`, `3.4 MB`, `1.2 GB`. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  const unit = units.find((candidate) => bytes >= candidate.bytes);
  return unit === undefined ? `${Math.round(bytes / 1024)} kB` : `${(bytes / unit.bytes).toFixed(1)} ${unit.name}`;
}
