/** `42%`. */
export function percentText(part: number, whole: number): string {
  return `${Math.round((part / whole) * 100)}%`;
}
