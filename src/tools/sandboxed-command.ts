import type { ToolRun } from '../runtime/tool.ts';
import type { Sandbox, SandboxRequest } from '../security/sandbox.ts';
import { failure } from './tool-failure.ts';

/** Where commands run; without one they run as they are. */
export type CommandSandbox = { readonly port: Sandbox } & Omit<SandboxRequest, 'roots' | 'cwd' | 'env'>;

export interface Unsandboxed {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** What to start so that the command reaches no further than it may; a failure where that cannot be had. */
export async function sandboxed(
  { argv, env, cwd }: Unsandboxed,
  { roots }: Pick<ToolRun, 'roots'>,
  sandbox: CommandSandbox | undefined,
) {
  if (sandbox === undefined) return { type: 'ready', argv, env } as const;
  const { port, ...request } = sandbox;
  const wrapped = await port.wrap(argv, { ...request, roots, cwd, env });
  if (wrapped.type === 'ready') return wrapped;
  return failure(
    'sandbox-unavailable',
    `Commands must run in a sandbox, which is not available: ${wrapped.reason}. To install it: ${wrapped.install}`,
  );
}
