/**
 * Logs in to an agent that requires it. A person chooses one of the agent's methods in a question, and the turn
 * continues. During a method, the agent may ask for a URL to be opened or show a code.
 */
import type { AgentAnswer, AgentRequest } from '../../kernel/agent-request.ts';
import { isJsonObject } from '../../kernel/json-object.ts';
import type { AgentProcess } from './agent-process.ts';
import type { AcpSettings, AgentSpec } from './agent-spec.ts';
import { wordsOf, type RpcResult } from './json-rpc.ts';
import { requestKey } from './permission-call.ts';
import { commandLine } from './permission-meaning.ts';
import type { AuthMethod } from './wire-schema.ts';

export interface LoginParts {
  readonly process: AgentProcess;
  readonly spec: AgentSpec;
  readonly settings: AcpSettings;
  readonly methods: readonly AuthMethod[];
  readonly ask: (request: AgentRequest) => Promise<AgentAnswer>;
}

/** Undefined once logged in. A string explains to people why not. */
export async function logIn(parts: LoginParts): Promise<string | undefined> {
  const { spec, methods } = parts;
  if (methods.length === 0) return loginNeeded(spec, methods);
  const offers = methods.map((method) => ({ const: method.id, title: titleOf(method) }));
  const id = await choose(parts, `Agent ${spec.name} needs you to log in. Choose a method.`, 'method', offers);
  const method = methods.find((one) => one.id === id);
  if (method === undefined) return loginNeeded(spec, methods);
  if (method.type === 'terminal') {
    const done = await choose(
      parts,
      `Run this in a terminal and log in there: ${terminalCommand(spec, method)}`,
      'next',
      [{ const: 'done', title: 'I have logged in' }],
    );
    return done === 'done' ? undefined : loginNeeded(spec, methods);
  }
  return await authenticate(parts, method.id);
}

export async function authenticate(
  { process, spec, settings }: Omit<LoginParts, 'methods' | 'ask'>,
  methodId: string,
): Promise<string | undefined> {
  const answer = await process.peer.request('authenticate', { methodId }, { timeoutMs: settings.loginMs });
  return answer.type === 'result'
    ? undefined
    : `Agent ${spec.name} didn't log in with ${methodId}: ${wordsOf(answer)}.`;
}

export function loginNeeded(spec: AgentSpec, methods: readonly AuthMethod[]): string {
  const ways = methods.map(({ id, name }) => `${name} (${id})`).join(', ');
  const hint = spec.loginHint ?? `Start ${spec.command} once in a terminal and log in there.`;
  return `Agent ${spec.name} needs you to log in first. ${hint}${ways === '' ? '' : ` It offers: ${ways}.`}`;
}

export function isLoginWanted(answer: RpcResult): boolean {
  return answer.type === 'error' && answer.code === authRequired;
}

const authRequired = -32000;

async function choose(
  { ask }: LoginParts,
  message: string,
  field: string,
  oneOf: readonly { readonly const: string; readonly title: string }[],
): Promise<unknown> {
  const schema = { type: 'object', properties: { [field]: { type: 'string', oneOf } }, required: [field] };
  const answer = await ask({ type: 'form', key: requestKey('form', [message, schema]), message, schema });
  return answer.type === 'form' && isJsonObject(answer.form) ? answer.form[field] : undefined;
}

function titleOf({ name, description, type }: AuthMethod): string {
  const where = type === 'terminal' ? ' (in a terminal)' : '';
  return `${name}${where}${typeof description === 'string' && description !== '' ? `: ${description}` : ''}`;
}

/** The agent's own program with the method's arguments, as its protocol prescribes. */
function terminalCommand({ command, args }: AgentSpec, method: AuthMethod): string {
  const env = Object.entries(method.env ?? {}).map(([name, value]) => `${name}=${value}`);
  return [...env, commandLine([command, ...args, ...(method.args ?? [])])].join(' ');
}
