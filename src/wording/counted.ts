/** `1 turn`, `3,000 turns`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** `10,000` */
export function grouped(count: number): string {
  return count.toLocaleString('en');
}
