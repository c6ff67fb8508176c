const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `850 ms`, `4.2 s`, `3 m 12 s`, `2 h 5 m`, `3 d`. */
export function durationText(ms: number): string {
  if (ms < second) return `${Math.max(0, Math.round(ms))} ms`;
  if (ms < 10 * second) return `${(ms / second).toFixed(1)} s`;
  if (ms < minute) return `${Math.floor(ms / second)} s`;
  if (ms < hour) return joined(Math.floor(ms / minute), 'm', Math.floor((ms % minute) / second), 's');
  if (ms < day) return joined(Math.floor(ms / hour), 'h', Math.floor((ms % hour) / minute), 'm');
  return joined(Math.floor(ms / day), 'd', Math.floor((ms % day) / hour), 'h');
}

/** Whole seconds, for what is counted while it is looked at. */
export function elapsedText(ms: number): string {
  return ms < minute ? `${Math.max(0, Math.floor(ms / second))} s` : durationText(ms);
}

export function agoText(at: number, now: number): string {
  const ms = now - at;
  if (ms < 45 * second) return 'just now';
  if (ms < hour) return `${Math.max(1, Math.round(ms / minute))} min ago`;
  if (ms < day) return `${Math.round(ms / hour)} h ago`;
  if (ms < 7 * day) return `${Math.round(ms / day)} d ago`;
  return new Date(at).toLocaleDateString(undefined, { month: 'short', day: 'numeric' });
}

export function clockText(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' });
}

export function momentText(at: number): string {
  return new Date(at).toLocaleString(undefined, {
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
}

function joined(large: number, largeUnit: string, small: number, smallUnit: string): string {
  return small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
}
