/**
 * Members that are undefined are left out, so that the result spreads into an object with optional properties. It makes
 * two objects: code that runs for every event or token spreads conditionally instead.
 */
export function optional<Members extends object>(
  members: Members,
): { [Key in keyof Members]?: Exclude<Members[Key], undefined> } {
  const present = { ...members };
  for (const key in present) if (present[key] === undefined) delete present[key];
  return present;
}
