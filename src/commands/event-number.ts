/** An event's number as it is typed; undefined where it isn't one. */
export function eventNumber(text: string): number | undefined {
  const event = Number(text);
  return Number.isSafeInteger(event) && event > 0 ? event : undefined;
}

export function notAnEvent(command: string, text: string, orElse = ''): string {
  return `/${command} takes the number of an event${orElse}, not "${text}"; \`rondo show SESSION --events\` lists them`;
}
