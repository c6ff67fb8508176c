import type { ToolAccess } from '../kernel/agent.ts';

/** The intersection: a child never gets more tools than its parent or its agent has. */
export function narrowTools(a: ToolAccess, b: ToolAccess): ToolAccess {
  if (a === 'none' || b === 'none') return 'none';
  if (a === 'all') return b;
  return b === 'all' ? a : { only: a.only.filter((tool) => b.only.includes(tool)) };
}
