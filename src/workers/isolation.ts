/** Whether a piece of work runs in the session itself or as a sub-agent of its own. */
export function runsIsolated(work: {
  readonly verb: string;
  readonly mode?: string;
  readonly files?: number;
}): boolean {
  if (work.mode === 'dream' || alwaysIsolated.has(work.verb)) return true;
  return isolatedForSeveral.has(work.verb) && (work.files ?? 1) > 1;
}

const alwaysIsolated: ReadonlySet<string> = new Set(['campaign', 'research']);
const isolatedForSeveral: ReadonlySet<string> = new Set(['implement', 'refactor']);
