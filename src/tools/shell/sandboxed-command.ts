import type { ToolRun } from '../../ports/tool.ts';
import { inSandbox, type CommandSandbox, type Unsandboxed } from '../../security/sandbox/command-sandbox.ts';
import { failure } from '../define/tool-failure.ts';

/** What to start so that the command reaches no further than it may; a failure where that cannot be had. */
export async function sandboxed(
  command: Unsandboxed,
  { roots }: Pick<ToolRun, 'roots'>,
  sandbox: CommandSandbox | undefined,
) {
  const ready = await inSandbox(command, roots, sandbox);
  return ready.type === 'ready' ? ready : failure('sandbox-unavailable', ready.message);
}
