import { expect, test } from 'vitest';

import { parseStoreAddress, storeName } from '../store-address.ts';
import { postgresPlace } from './postgres-address.ts';

test('[C151] an address names the server, the schema and how to connect', () => {
  const place = postgresPlace(
    'postgres://ada:s3cret@db.example:5433/team?schema=agents&connections=3&lease=20&wake=poll',
  );
  expect(place).toEqual({
    connectionString: 'postgres://ada:s3cret@db.example:5433/team',
    schema: 'agents',
    safeAddress: 'postgres://ada:***@db.example:5433/team?schema=agents&connections=3&lease=20&wake=poll',
    connections: 3,
    lease: 20,
    wake: 'poll',
  });
});

test('[C151] omitted parts of an address have defaults', () => {
  expect(postgresPlace('postgresql://db/team')).toEqual({
    connectionString: 'postgresql://db/team',
    schema: 'rondo',
    safeAddress: 'postgresql://db/team',
    connections: 8,
  });
});

test('[C151] sslmode means what it means to other clients', () => {
  const ssl = (mode: string) => postgresPlace(`postgres://db/team?sslmode=${mode}`).ssl;
  expect(ssl('disable')).toBeUndefined();
  expect(ssl('require')).toEqual({ rejectUnauthorized: false });
  expect(ssl('verify-full')).toEqual({ rejectUnauthorized: true });
  expect(ssl('verify-ca')).toEqual({
    rejectUnauthorized: true,
    checkServerIdentity: expect.any(Function) as unknown,
  });
});

test.each([
  ['postgres://db/team?schema=Bad"name', 'cannot name a schema'],
  ['postgres://db/team?schema=pg_catalog', 'cannot name a schema'],
  ['postgres://db/team?connections=0', 'connections must be a number'],
  ['postgres://db/team?wake=up', 'wake can only be "poll"'],
  ['postgres://db/team?sslmode=maybe', 'sslmode "maybe" is unknown'],
  ['postgres://db/team?sslmode=verify-full&sslrootcert=/none.pem', '/none.pem cannot be read'],
])('[C151] names a mistake in the address: %s', (address, message) => {
  expect(() => postgresPlace(address)).toThrow(message);
});

test('[C151][S8] no password is shown, wherever it is written', () => {
  const name = (url: string) => storeName({ type: 'postgres', url });
  expect(name('postgres://ada:p%40ss@db/x?password=s3cret&schema=a')).toBe(
    'postgres://ada:***@db/x?password=***&schema=a',
  );
  expect(parseStoreAddress('mysql://ada:s3cret@db/x')).toBe(
    'invalid store "mysql://ada:***@db/x"; use sqlite:PATH, postgres://…, nats://… or memory:',
  );
});
