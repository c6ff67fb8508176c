/** The time of day in the local format. */
export function clockText(at: number): string {
  return new Date(at).toLocaleTimeString(undefined, { hour: 'numeric', minute: '2-digit' });
}

/** `09:41`: the time of day in 24 hours, for columns of times. */
export function shortClock(at: number): string {
  const time = new Date(at);
  const two = (value: number) => `${value}`.padStart(2, '0');
  return `${two(time.getHours())}:${two(time.getMinutes())}`;
}

/** `09:41:07` */
export function exactClock(at: number): string {
  return `${shortClock(at)}:${`${new Date(at).getSeconds()}`.padStart(2, '0')}`;
}
