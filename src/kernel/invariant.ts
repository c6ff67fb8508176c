/** A broken invariant is a bug of ours. Nobody catches it to continue; `rule` names the line in SPEC.md. */
export function invariant(condition: boolean, rule: string): asserts condition {
  if (!condition) throw new Error(`Broken invariant ${rule}`);
}
