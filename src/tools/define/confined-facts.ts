import type { CallFacts } from '../../kernel/call.ts';
import { type CommandSandbox, isConfined } from '../../security/sandbox/command-sandbox.ts';

/**
 * The facts of a sandboxed command. What it can't reach isn't a danger. Losing work, rewriting history and sending
 * data still need approval.
 */
export async function confinedFacts(
  facts: CallFacts,
  roots: readonly string[],
  sandbox: CommandSandbox | undefined,
): Promise<CallFacts> {
  if (facts.problem !== undefined || !(await isConfined(roots, sandbox))) return facts;
  const { dangers, ...rest } = facts;
  const left = dangers?.filter(({ rule, severity }) => severity === 'deny' || ASKED_INSIDE.has(rule)) ?? [];
  return { ...rest, ...(left.length > 0 && { dangers: left }), confined: true };
}

const ASKED_INSIDE: ReadonlySet<string> = new Set([
  'delete-unknown',
  'overwrite-files',
  'git-discard',
  'git-rewrite-history',
  'git-force-push',
  'git-push',
  'publish',
  'skip-hooks',
  'stage-secret',
  'read-credentials',
  'send-secret-variable',
  'upload-file',
]);
