/**
 * Describes a provider failure: a code, whether and when to retry, and a message with the operation, the address
 * and the next step. Messages never contain keys.
 *
 * Reads errors by shape, because the SDK's packages ship several copies of its error classes.
 */
import { fieldsOf } from '../kernel/json-object.ts';
import { optional } from '../kernel/optional.ts';
import type { FailureCode } from '../kernel/outcome.ts';
import type { BareFailure } from './bare-model.ts';
import { addressOf, secretsOf, type Endpoint } from './endpoint.ts';
import { resetTime } from './reset-time.ts';

interface CallSite {
  readonly model: string;
  readonly endpoint: Endpoint;
}

export function providerFailure(error: unknown, { model, endpoint }: CallSite, now: number): BareFailure {
  const seen = readError(error);
  const { code, retryable, advice } = judge(seen, endpoint);
  const retryAt = retryable ? resetTime(seen.headers, seen.body, now) : undefined;
  const what = [seen.status, isPage(seen.body) ? 'it answered with a web page' : seen.message]
    .filter((part) => part !== undefined && part !== '')
    .join(' ');
  const message = `Calling ${model} at ${addressOf(endpoint)} failed: ${redact(what, endpoint)}${/[.!?]$/.test(what) ? '' : '.'} ${advice}`;
  return { type: 'failed', code, message, retryable, ...optional({ retryAt }) };
}

/** Fails without calling the provider, which would only reject the request. */
export function missingKey({ model, endpoint }: CallSite): BareFailure | undefined {
  const { type, apiKey, headers, aws } = endpoint;
  const keyed = apiKey !== undefined && apiKey !== '';
  const signed = aws?.accessKeyId !== undefined && aws.secretAccessKey !== undefined;
  if (type === 'openai-compatible' || keyed || signed || headers !== undefined) return undefined;
  const { code, retryable, advice } = auth(endpoint);
  return {
    type: 'failed',
    code,
    message: `${model} was not called: no key for ${addressOf(endpoint)}. ${advice}`,
    retryable,
  };
}

interface Verdict {
  readonly code: FailureCode;
  readonly retryable: boolean;
  readonly advice: string;
}

function judge({ status, body, message, name, network }: SeenError, endpoint: Endpoint): Verdict {
  const report = `${message} ${body ?? ''}`;
  if (name === 'AI_LoadAPIKeyError' || name === 'AI_LoadSettingError') return auth(endpoint);
  if (name === 'AI_UnsupportedFunctionalityError' || name === 'AI_InvalidPromptError') {
    return invalid("This model can't read the attachment. Remove it or choose another model.");
  }
  if (status === undefined)
    return isPage(body)
      ? invalid(notTheProvider)
      : unavailable(
          network === 'refused'
            ? 'Nothing answers there. Is the server running?'
            : 'Check the network and the address.',
        );
  if (/API_KEY_INVALID|api key not valid|API key expired/i.test(report)) return auth(endpoint);
  if (status === 401 || status === 403) return auth(endpoint);
  if (isPage(body) && status < 429) return invalid(notTheProvider);
  if (status === 402 || /insufficient_quota|credit balance is too low|billing_hard_limit/i.test(report)) {
    return {
      code: 'model-rate-limited',
      retryable: false,
      advice: 'The account has no credit left. Add some, or choose another model.',
    };
  }
  if (status === 404) {
    return {
      code: 'model-unavailable',
      retryable: false,
      advice: 'Check the model name and the address; `rondo models` lists available models.',
    };
  }
  if (status === 429)
    return {
      code: 'model-rate-limited',
      retryable: true,
      advice: 'The provider limits the call rate. Retry later.',
    };
  if (status === 408 || status >= 500)
    return unavailable('The provider has problems. Retry later, or choose another model.');
  if (/context|too long|too large|maximum.*tokens/i.test(report)) {
    return {
      code: 'model-context-full',
      retryable: false,
      advice:
        'The conversation is too long for this model. Rondo summarizes it; or choose a model with a larger context.',
    };
  }
  return invalid('The provider rejected the request. Check the model and its settings.');
}

const notTheProvider = "Check the address (baseUrl): the server there isn't the provider's API.";

/** An HTML page from a proxy, a login page or another server in place of the provider's reply. */
function isPage(body: string | undefined): boolean {
  return body !== undefined && /^\s*<(?:!doctype|html)/i.test(body);
}

function auth({ keyFrom }: Endpoint): Verdict {
  return { code: 'model-auth', retryable: false, advice: `Check the key: ${keyFrom}.` };
}

function invalid(advice: string): Verdict {
  return { code: 'model-invalid', retryable: false, advice };
}

function unavailable(advice: string): Verdict {
  return { code: 'model-unavailable', retryable: true, advice };
}

interface SeenError {
  readonly status?: number;
  readonly message: string;
  readonly name?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly network?: 'refused' | 'other';
}

function readError(error: unknown): SeenError {
  if (typeof error === 'string') return { message: error, headers: {} };
  const fields = fieldsOf(error);
  const status = statusOf(fields);
  const code = networkCode(error);
  const { name, responseBody, message } = fields;
  return {
    message: typeof message === 'string' && message !== '' ? message : (code ?? 'no reason given'),
    headers: headersOf(fields['responseHeaders']),
    ...optional({ status }),
    ...(typeof name === 'string' && { name }),
    ...(typeof responseBody === 'string' && { body: responseBody }),
    ...(code !== undefined && { network: code === 'ECONNREFUSED' ? 'refused' : 'other' }),
  };
}

/** A stream that breaks keeps the status of its successful start, which isn't the status of the failure. */
function statusOf({ statusCode, code }: Readonly<Record<string, unknown>>): number | undefined {
  const status = typeof statusCode === 'number' ? statusCode : Number(code);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}

function headersOf(headers: unknown): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(fieldsOf(headers)).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
}

function networkCode(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^(E[A-Z]+|UND_ERR_.*)$/.test(at.code)) return at.code;
  }
  return undefined;
}

const looksSecret =
  /\b(?:sk|rk|pk|gsk|xai)-[\w*.-]{6,}|\bAIza[\w*-]{10,}|\bBearer\s+\S+|([?&](?:key|api_key|token)=)[^&\s]+/g;
const longest = 300;

function redact(text: string, endpoint: Endpoint): string {
  const hidden = secretsOf(endpoint)
    .reduce((safe, secret) => safe.replaceAll(secret, '[redacted]'), text)
    .replace(looksSecret, '[redacted]');
  return hidden.length > longest ? `${hidden.slice(0, longest)}…` : hidden;
}
