import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createRedactor, createStreamRedactor, REDACTED } from './redact.ts';
import { collectSecrets, isSecretName } from './secrets.ts';

const hex = (length: number) => 'a1B2c3D4e5F6g7H8'.repeat(20).slice(0, length);
const label = 'PRIVATE';
// Assembled here so that no scanner reports this file as a leak.
const tokens: Readonly<Record<string, string>> = {
  anthropic: `sk-ant-${hex(40)}`,
  openai: `sk-proj-${hex(40)}`,
  github: `ghp_${hex(36)}`,
  'github fine': `github_pat_${hex(40)}`,
  aws: `AKIA${hex(16).toUpperCase()}`,
  slack: `xoxb-${hex(24)}`,
  google: `AIza${hex(35)}`,
  stripe: `sk_live_${hex(24)}`,
  npm: `npm_${hex(36)}`,
  gitlab: `glpat-${hex(20)}`,
  jwt: `eyJ${hex(20)}.eyJ${hex(30)}.${hex(40)}`,
  'private key': `-----BEGIN RSA ${label} KEY-----\n${hex(64)}\n${hex(64)}\n-----END RSA ${label} KEY-----`,
};

describe('secrets are collected by the name of their variable [C50]', () => {
  test.each([
    ['ANTHROPIC_API_KEY', true],
    ['GITHUB_TOKEN', true],
    ['DB_PASSWORD', true],
    ['AWS_SECRET_ACCESS_KEY', true],
    ['DATABASE_URL', true],
    ['npm_config_authToken', true],
    ['PWD', false],
    ['KEYBOARD', false],
    ['TOKENIZERS_PARALLELISM', false],
    ['SSH_AUTH_SOCK', false],
    ['XDG_SESSION_ID', false],
    ['PATH', false],
  ])('%s: %s', (name, expected) => {
    expect(isSecretName(name)).toBe(expected);
  });

  test('short values, everyday words and paths are left alone; a password in a URL is found', () => {
    const environment = {
      A_TOKEN: 'abc',
      B_TOKEN: 'production',
      C_KEY: '/home/bob/key',
      D_KEY: 'x9K2mLq8Zt',
      DATABASE_URL: 'postgres://u:p%40ssw0rd!x@h/db',
      HOME: 'x9K2mLq8Zt-not-this',
      E_KEY: undefined,
    };
    expect(collectSecrets(environment, ['given-Value-1', 'short'])).toEqual([
      'postgres://u:p%40ssw0rd!x@h/db',
      'given-Value-1',
      'p%40ssw0rd!x',
      'x9K2mLq8Zt',
      'p@ssw0rd!x',
    ]);
  });
});

describe('hides known token shapes without configuration [C50]', () => {
  test.each(Object.entries(tokens))('%s', (_name, token) => {
    expect(createRedactor([])(`before ${token} after`)).toBe(`before ${REDACTED} after`);
  });

  test.each([
    'task-list-of-things-to-do-today',
    'disk-usage',
    'sk-short',
    'AKIA',
    'eyJ.eyJ',
    'npm_run',
    '-----BEGIN CERTIFICATE-----',
    'a/very/long/path/with-many-parts',
    'risk_live_wire',
  ])('%s is not', (text) => {
    expect(createRedactor([])(text)).toBe(text);
  });
});

test('a secret is hidden in plain text, in JSON and in a URL; the longer one first [C50]', () => {
  const redact = createRedactor(['p@ss"word1', 'p@ss"word1-and-more']);
  expect(redact('p@ss"word1 {"a":"p@ss\\"word1"} ?q=p%40ss%22word1 p@ss"word1-and-more')).toBe(
    `${REDACTED} {"a":"${REDACTED}"} ?q=${REDACTED} ${REDACTED}`,
  );
});

test('a stream cut anywhere gives what the whole text gives [C50]', () => {
  const secrets = ['secret-value-1', 'secret-value-1-longer', 'aaaaaaab', 'value-1-longer-x'];
  const piece = fc.oneof(
    fc.constantFrom(
      ...secrets,
      ...Object.values(tokens),
      'secret-value',
      'aaaaaaa',
      ' ',
      '\n',
      'sk-',
      'AKIA',
      'xsk-',
      '-----BEGIN ',
      '-----',
      'eyJ',
      'text',
      '.',
      '-',
      'x',
    ),
    fc.string({ maxLength: 5 }),
  );
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 12 }),
      fc.array(fc.nat({ max: 40 }), { maxLength: 30 }),
      (pieces, cuts) => {
        const text = pieces.join('');
        const stream = createStreamRedactor(secrets);
        let given = '';
        let place = 0;
        for (const cut of cuts) {
          given += stream.push(text.slice(place, place + cut));
          place += cut;
        }
        given += stream.push(text.slice(place)) + stream.end();
        expect(given).toBe(createRedactor(secrets)(text));
      },
    ),
    { numRuns: 1000 },
  );
});

test('hides a key that starts right after a token, wherever the stream is cut [C50]', () => {
  const token = `sk-ant-${'a1B2c3D4e5F6g7H8'.repeat(3)}`;
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'a1B2c3D4'.repeat(8)}\n-----END RSA PRIVATE KEY-----`;
  const text = `${token}-----BEGIN ${key}`;
  for (let cut = 0; cut <= text.length; cut += 1) {
    const stream = createStreamRedactor([]);
    const given = stream.push(text.slice(0, cut)) + stream.push(text.slice(cut)) + stream.end();
    expect(given).toBe(`${REDACTED} ${REDACTED}`);
  }
});

test('ordinary text is not held back', () => {
  const stream = createStreamRedactor(['secret-value-1']);
  expect([stream.push('hello '), stream.push('world secr'), stream.push('ecy. '), stream.end()]).toEqual([
    'hello ',
    'world ',
    'secrecy. ',
    '',
  ]);
});

test('ten megabytes are redacted in a moment', () => {
  const secrets = Array.from({ length: 50 }, (_, index) => `secret-${index}-${hex(20)}`);
  const text = `a line of ordinary output, number 12345, path/to/file.ts\n`.repeat(180_000);
  const start = performance.now();
  createRedactor(secrets)(text);
  expect(performance.now() - start).toBeLessThan(10_000);
});
