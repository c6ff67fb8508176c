const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `0.4s`, `12s`, `1m 59s`, `2h 5m`, `3d 4h`. */
export function durationText(ms: number): string {
  return ms < 9_950 ? `${(Math.max(0, ms) / second).toFixed(1)}s` : elapsedText(ms);
}

/** The same in whole seconds, for a running timer. */
export function elapsedText(ms: number): string {
  if (ms < minute) return `${Math.max(0, Math.floor(ms / second))}s`;
  if (ms < hour) return joined(ms, { of: minute, unit: 'm' }, { of: second, unit: 's' });
  if (ms < day) return joined(ms, { of: hour, unit: 'h' }, { of: minute, unit: 'm' });
  return joined(ms, { of: day, unit: 'd' }, { of: hour, unit: 'h' });
}

/** `12s`, `5m`, `2h`, `3d`: how long ago something happened, for lists. */
export function ageText(ms: number): string {
  return elapsedText(ms).replace(/ .*/, '');
}

interface Unit {
  readonly of: number;
  readonly unit: string;
}

function joined(ms: number, large: Unit, small: Unit): string {
  const rest = Math.floor((ms % large.of) / small.of);
  const most = `${Math.floor(ms / large.of)}${large.unit}`;
  return rest === 0 ? most : `${most} ${rest}${small.unit}`;
}
