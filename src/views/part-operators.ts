/** The operator before each part of a command, as it was written. Undefined where a part can't be found as it stands. */
export function operatorsIn(command: string, parts: readonly string[]): readonly (string | undefined)[] {
  let from = 0;
  return parts.map((part) => {
    const at = command.indexOf(part, from);
    if (at === -1) return undefined;
    const between = command.slice(from, at).trim();
    from = at + part.length;
    return /^(?:&&|\|\||\|&?|;|&)$/.test(between) ? between : undefined;
  });
}
