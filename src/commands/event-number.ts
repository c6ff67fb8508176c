/** Parses a typed event number. Undefined if it is invalid. */
export function eventNumber(text: string): number | undefined {
  const event = Number(text);
  return Number.isSafeInteger(event) && event > 0 ? event : undefined;
}

export function notAnEvent(command: string, text: string): string {
  return `/${command} takes the number of an event, not "${text}"; \`rondo show SESSION --events\` lists them`;
}
