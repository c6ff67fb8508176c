import { describe, expect, it } from 'vitest';

import type { Endpoint } from './endpoint.ts';
import { providerFailure } from './errors.ts';

const endpoint: Endpoint = {
  name: 'anthropic',
  type: 'anthropic',
  baseUrl: 'https://api.anthropic.com/v1',
  apiKey: 'my-own-secret',
  headers: { 'x-team': 'team-secret' },
  local: false,
  keyFrom: 'ANTHROPIC_API_KEY in the environment',
};
const site = { model: 'anthropic/claude-sonnet-5', endpoint };
const opening = 'Calling anthropic/claude-sonnet-5 at https://api.anthropic.com failed:';

function failure(error: unknown) {
  return providerFailure(error, site, 1000);
}

function status(statusCode: number, message: string, rest: object = {}): Error {
  return Object.assign(new Error(message), { statusCode, ...rest });
}

describe('errors of a provider', () => {
  it('say what was done, where, what happened and what to do now [C22]', () => {
    expect(failure(status(401, 'invalid x-api-key'))).toEqual({
      type: 'failed',
      code: 'model-auth',
      message: `${opening} 401 invalid x-api-key. Check the key: ANTHROPIC_API_KEY in the environment.`,
      retryable: false,
    });
    expect(failure(status(529, 'Overloaded'))).toEqual({
      type: 'failed',
      code: 'model-unavailable',
      message: `${opening} 529 Overloaded. The provider has problems. Retry later, or choose another model.`,
      retryable: true,
    });
  });

  it('a web page in place of an answer points at the address, and is not repeated [C22]', () => {
    const page = { responseBody: '<!DOCTYPE html><html><body>Welcome to the hotel</body></html>' };
    expect(
      [200, 404, 405, 502].map((code) => failure(status(code, 'Invalid JSON response', page)).message),
    ).toEqual([
      `${opening} it answered with a web page. Check the address (baseUrl): the server there isn't the provider's API.`,
      `${opening} 404 it answered with a web page. Check the address (baseUrl): the server there isn't the provider's API.`,
      `${opening} 405 it answered with a web page. Check the address (baseUrl): the server there isn't the provider's API.`,
      `${opening} 502 it answered with a web page. The provider has problems. Retry later, or choose another model.`,
    ]);
  });

  it.each<[string, unknown, string]>([
    [
      'an exhausted account',
      status(429, 'quota', { responseBody: '{"error":{"code":"insufficient_quota"}}' }),
      'model-rate-limited false',
    ],
    ['a bad key told as 400', status(400, 'API key not valid. Please pass a valid API key.'), 'model-auth false'],
    [
      'a prompt that is too long',
      status(400, 'prompt is too long: 210000 tokens > 200000 maximum'),
      'model-context-full false',
    ],
    ['a request that is too large', status(413, 'request too large'), 'model-context-full false'],
    ['a conflict', status(409, 'conflict'), 'model-invalid false'],
    ['a request timeout', status(408, 'timeout'), 'model-unavailable true'],
    [
      'a refused connection',
      Object.assign(new Error('Cannot connect'), {
        cause: Object.assign(new Error('x'), { code: 'ECONNREFUSED' }),
      }),
      'model-unavailable true',
    ],
    ['a body that broke off', status(200, 'Failed to process successful response'), 'model-unavailable true'],
    [
      'an attachment that is not taken',
      Object.assign(new Error('no pdf'), { name: 'AI_UnsupportedFunctionalityError' }),
      'model-invalid false',
    ],
    [
      'a stream error with a numeric code',
      Object.assign(new Error('slow down'), { code: 429 }),
      'model-rate-limited true',
    ],
    ['words', 'strange', 'model-unavailable true'],
    ['nothing', undefined, 'model-unavailable true'],
  ])('are judged: %s', (_name, error, expected) => {
    const { code, retryable } = failure(error);
    expect(`${code} ${retryable}`).toBe(expected);
  });

  it('never show a key', () => {
    const text =
      'Incorrect API key provided: sk-proj-abcdef123456 my-own-secret team-secret Bearer abc.def ?key=AIzaSyABCDEFGHIJKLMNOP';
    const { message } = failure(status(401, text));
    expect(message).toBe(
      `${opening} 401 Incorrect API key provided: [redacted] [redacted] [redacted] [redacted] [redacted]. Check the key: ANTHROPIC_API_KEY in the environment.`,
    );
  });

  it('carry the time the provider names as the time to try again [C24]', () => {
    expect(failure(status(429, 'slow down', { responseHeaders: { 'Retry-After': '60' } }))).toMatchObject({
      retryable: true,
      retryAt: 61_000,
    });
    expect(failure(status(503, 'busy', { responseHeaders: { 'retry-after': '60' } }))).toMatchObject({
      retryable: true,
      retryAt: 61_000,
    });
  });
});
