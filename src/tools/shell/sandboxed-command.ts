import type { ToolRun } from '../../ports/tool.ts';
import { inSandbox, type CommandSandbox, type Unsandboxed } from '../../security/sandbox/command-sandbox.ts';
import { failure } from '../define/tool-failure.ts';

/** The command to start within its permitted reach. A failure if that isn't possible. */
export async function sandboxed(
  command: Unsandboxed,
  { roots }: Pick<ToolRun, 'roots'>,
  sandbox: CommandSandbox | undefined,
) {
  const ready = await inSandbox(command, roots, sandbox);
  return ready.type === 'ready' ? ready : failure('sandbox-unavailable', ready.message);
}
