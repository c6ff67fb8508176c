/** A command made ready to be started so that it reaches no further than it may, whoever wants it run. */
import type { Sandbox, SandboxRequest } from './sandbox.ts';

/** Where commands run; without one they run as they are. */
export type CommandSandbox = { readonly port: Sandbox } & Omit<SandboxRequest, 'roots' | 'cwd' | 'env'>;

export interface Unsandboxed {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

export type ReadyCommand =
  | { readonly type: 'ready'; readonly argv: readonly string[]; readonly env: Readonly<Record<string, string>> }
  | { readonly type: 'unavailable'; readonly message: string };

/** Never a weaker sandbox than the one asked for: where it cannot be had the command is not to be run. */
export async function inSandbox(
  { argv, env, cwd }: Unsandboxed,
  roots: readonly string[],
  sandbox: CommandSandbox | undefined,
): Promise<ReadyCommand> {
  if (sandbox === undefined) return { type: 'ready', argv, env };
  const { port, ...request } = sandbox;
  const wrapped = await port.wrap(argv, { ...request, roots, cwd, env });
  if (wrapped.type === 'ready') return wrapped;
  const message = `Commands must run in a sandbox, which is not available: ${wrapped.reason}. To install it: ${wrapped.install}`;
  return { type: 'unavailable', message };
}
