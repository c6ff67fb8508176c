/** A broken invariant is our bug, and nothing catches it to continue. `rule` is a rule of SPEC.md. */
export function invariant(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant ${rule}`);
}
