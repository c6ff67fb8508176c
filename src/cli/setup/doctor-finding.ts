export interface Finding {
  readonly what: string;
  /** `missing` is harmless. */
  readonly health: 'good' | 'missing' | 'broken';
  readonly found: string;
  /** How to fix it. */
  readonly advice?: string;
  /** The repairs that were made. */
  readonly repaired?: readonly string[];
}

/** Runs a check and turns an error into a finding. */
export async function findingOf(what: string, check: () => Promise<Omit<Finding, 'what'>>): Promise<Finding> {
  try {
    return { what, ...(await check()) };
  } catch (error) {
    return { what, health: 'broken', found: (error as Error).message };
  }
}
