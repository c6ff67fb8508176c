const units = [
  { bytes: 1024 ** 3, name: 'GB' },
  { bytes: 1024 ** 2, name: 'MB' },
] as const;

/** `12 kB`, `3.4 MB`, `1.2 GB`, for people. */
export function sizeText(bytes: number): string {
  const unit = units.find((candidate) => bytes >= candidate.bytes);
  return unit === undefined ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / unit.bytes).toFixed(1)} ${unit.name}`;
}
