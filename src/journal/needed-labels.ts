/** Labels that a session needs, and those that a machine offers. */

/** Without `offers`, nothing is asked for. */
export function unmet(needs: readonly string[], offers: readonly string[] | undefined): readonly string[] {
  return offers === undefined ? [] : needs.filter((label) => !offers.includes(label));
}

/** The labels that a session needs, read from the JSON array in its directory row. */
export function readNeeds(text: string | null | undefined): readonly string[] {
  return text === null || text === undefined ? [] : (JSON.parse(text) as readonly string[]);
}
