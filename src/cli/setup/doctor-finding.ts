export interface Finding {
  readonly what: string;
  /** `missing` does no harm. */
  readonly health: 'good' | 'missing' | 'broken';
  readonly found: string;
  /** What to do about it. */
  readonly advice?: string;
  /** What was done about it. */
  readonly repaired?: readonly string[];
}

/** A check never throws: what goes wrong is what it found. */
export async function found(what: string, check: () => Promise<Omit<Finding, 'what'>>): Promise<Finding> {
  try {
    return { what, ...(await check()) };
  } catch (error) {
    return { what, health: 'broken', found: (error as Error).message };
  }
}
