/** The HTTP half of a client: what is read once and not followed. */
import { Fault } from '../kernel/fault.ts';
import { optional } from '../kernel/optional.ts';
import type { Refusal } from '../kernel/refusal.ts';
import type { ErrorCode, Problem } from '../protocol/error-code.ts';

/** `path` is below `/api/v1`. */
export type HttpFetch = (path: string, init?: RequestInit) => Promise<Response>;

export interface HttpCalls {
  /** Rejects with a `Fault` where the server turns it down. */
  get<Value>(path: string): Promise<Value>;
  post<Value>(path: string, body?: unknown, key?: string): Promise<Posted<Value>>;
  put(path: string, body: unknown): Promise<void>;
  /** False if there is nothing at this path. */
  remove(path: string): Promise<boolean>;
  /** The response itself, for a download. */
  open(path: string, body: unknown): Promise<Response>;
}

type Posted<Value> =
  | { readonly type: 'done'; readonly value: Value }
  | { readonly type: 'refused'; readonly refusal: Refusal };

export function createHttpCalls(url: () => string, fetch: HttpFetch): HttpCalls {
  async function ask(path: string, init?: RequestInit): Promise<Response> {
    try {
      return await fetch(path, init);
    } catch (cause) {
      const message = `Can't reach the server at ${url()}. Start it with \`rondo serve\`, or use \`rondo chat --alone\`.`;
      throw new Fault('network', message, { cause });
    }
  }
  const posting = (body: unknown, key?: string): RequestInit => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...optional({ 'idempotency-key': key }) },
    body: JSON.stringify(body ?? {}),
  });

  return {
    async get(path) {
      const answer = await ask(path);
      if (!answer.ok) throw faultOf(await problemIn(answer));
      return (await answer.json()) as never;
    },
    async put(path, body) {
      const answer = await ask(path, { ...posting(body), method: 'PUT' });
      if (!answer.ok) throw faultOf(await problemIn(answer));
    },
    async remove(path) {
      const answer = await ask(path, { method: 'DELETE' });
      if (answer.ok) return true;
      const problem = await problemIn(answer);
      if (problem.code === 'NOT_FOUND') return false;
      throw faultOf(problem);
    },
    async post(path, body, key) {
      const answer = await ask(path, posting(body, key));
      if (answer.ok) return { type: 'done', value: (await answer.json()) as never };
      const problem = await problemIn(answer);
      const code = refusalCodes[problem.code];
      if (code === undefined) throw faultOf(problem);
      return { type: 'refused', refusal: { code, message: problem.message } };
    },
    async open(path, body) {
      const answer = await ask(path, posting(body));
      if (!answer.ok) throw faultOf(await problemIn(answer));
      return answer;
    },
  };
}

/** Turns the server's answer about an input into a session's receipt. Anything else is a fault. */
export const refusalCodes: Readonly<Record<string, Refusal['code'] | undefined>> = {
  NOT_FOUND: 'not-found',
  SESSION_NOT_FOUND: 'not-found',
  QUESTION_NOT_FOUND: 'not-found',
  CONFLICT: 'conflict',
  FORBIDDEN: 'forbidden',
  LIMIT_REACHED: 'limit',
  REFUSED: 'invalid',
  INVALID_MESSAGE: 'invalid',
} satisfies Partial<Record<ErrorCode, Refusal['code']>>;

async function problemIn(answer: Response): Promise<{ readonly code: string; readonly message: string }> {
  const text = await answer.text();
  try {
    const { code, detail } = JSON.parse(text) as Problem;
    return { code, message: detail };
  } catch {
    return { code: `HTTP_${answer.status}`, message: `The server answered with status ${answer.status}.` };
  }
}

function faultOf({ code, message }: { readonly code: string; readonly message: string }): Fault {
  return new Fault(refusalCodes[code] === undefined ? 'network' : 'not-found', message);
}
