/** A token that carries its time of sending: `@` and nineteen digits of nanoseconds. */
export const mark = '@';
export const markLength = 20;

export function markedToken(): string {
  return `${mark}${String(process.hrtime.bigint()).padStart(markLength - 1, '0')}`;
}
