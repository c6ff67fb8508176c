// TLS and users of a NATS server: who is let in, what is checked, and what a refusal says.
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { nkeys } from '@nats-io/transport-node';
import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { openNatsStore } from '../../src/journal/nats/nats-store.ts';
import { first, record, request } from '../../src/testing/contracts/journal-samples.ts';
import { certificate } from '../fixtures/certificate.ts';
import { noNats, startNatsServer } from '../fixtures/nats/server.ts';

type KeyPair = ReturnType<typeof nkeys.createUser>;

const missing = noNats();
const options = 'access?streams=1';

const opened = (address: string) => openNatsStore({ address, patience: { retryMs: 500, answerMs: 1000 } });

/** Opens a store, writes to it and reads it back. */
async function writes(address: string): Promise<number> {
  await using store = await opened(address);
  const { position } = store.leases.create(first);
  const answer = await store.journal.append(request(0, [record('a')], { position }));
  const { events } = await store.journal.read(first, { after: 0 });
  return answer.type === 'appended' ? events.length : 0;
}

/** A token that an operator or account signs. */
function signed(by: KeyPair, subject: KeyPair, name: string, nats: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const claims = { jti: name, iat: 1, iss: by.getPublicKey(), name, sub: subject.getPublicKey() };
  const content = `${encode({ typ: 'JWT', alg: 'ed25519-nkey' })}.${encode({ ...claims, nats })}`;
  return `${content}.${Buffer.from(by.sign(Buffer.from(content))).toString('base64url')}`;
}

describe.skipIf(missing !== undefined)(`[C152] access to a NATS server ${missing ?? ''}`, () => {
  test('a user and password of the address let in, a wrong password does not and is not shown', async () => {
    const settings = ['authorization { user: "rondo", password: "quite secret" }'];
    await using server = await startNatsServer({ settings });
    const as = (user: string) => `${server.address.replace('//', `//${user}@`)}/${options}`;
    expect(await writes(as('rondo:quite%20secret'))).toBe(1);
    const refused = await opened(as('rondo:wrong-secret')).catch(String);
    expect(refused).toContain('the server refused the user');
    expect(refused).not.toContain('wrong-secret');
    await expect(opened(`${server.address}/${options}`)).rejects.toThrow(/the server refused the user/);
  });

  test('a credentials file lets in, one of another account does not', async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-nats-creds-'));
    const operator = nkeys.createOperator();
    const [account, stranger, system] = [nkeys.createAccount(), nkeys.createAccount(), nkeys.createAccount()];
    const limits = { subs: -1, data: -1, payload: -1, conn: -1, imports: -1, exports: -1, leaf: -1 };
    const storage = { mem_storage: -1, disk_storage: -1, streams: -1, consumer: -1 };
    const trusted = signed(operator, operator, 'operator', { type: 'operator', version: 2 });
    const accountWith = (name: string, of: KeyPair, given: object) =>
      signed(operator, of, name, { type: 'account', version: 2, limits: { ...given, wildcards: true } });
    const preloaded = [
      `${account.getPublicKey()}: "${accountWith('team', account, { ...limits, ...storage })}"`,
      `${system.getPublicKey()}: "${accountWith('system', system, limits)}"`,
    ];
    await using server = await startNatsServer({
      settings: [
        `operator: "${trusted}"`,
        'resolver: MEMORY',
        `system_account: ${system.getPublicKey()}`,
        `resolver_preload: { ${preloaded.join(', ')} }`,
      ],
    });
    const credentialsOf = (by: KeyPair, name: string) => {
      const user = nkeys.createUser();
      const token = signed(by, user, name, { type: 'user', version: 2, subs: -1, data: -1, payload: -1 });
      const file = path.join(folder.path, name);
      const seed = Buffer.from(user.getSeed()).toString();
      const part = (title: string, content: string) =>
        `-----BEGIN ${title}-----\n${content}\n------END ${title}------\n`;
      writeFileSync(file, `${part('NATS USER JWT', token)}\n${part('USER NKEY SEED', seed)}`, { mode: 0o600 });
      return `${server.address}/${options}&creds=${encodeURIComponent(file)}`;
    };
    expect(await writes(credentialsOf(account, 'member'))).toBe(1);
    await expect(opened(credentialsOf(stranger, 'stranger'))).rejects.toThrow(/the server refused the user/);
  });

  test('a token of NATS_TOKEN lets in, another one does not and is not shown', async () => {
    await using server = await startNatsServer({ settings: ['authorization { token: "quite-secret-token" }'] });
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('NATS_TOKEN', 'quite-secret-token');
    expect(await writes(`${server.address}/${options}`)).toBe(1);
    vi.stubEnv('NATS_TOKEN', 'another-secret-token');
    const refused = await opened(`${server.address}/${options}`).catch(String);
    expect(refused).toContain('the server refused the user');
    expect(refused).not.toContain('another-secret-token');
  });

  test('the seed of a key lets in, another key does not', async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-nats-nkey-'));
    const [member, stranger] = [nkeys.createUser(), nkeys.createUser()];
    await using server = await startNatsServer({
      settings: [`authorization { users: [{ nkey: ${member.getPublicKey()} }] }`],
    });
    const withSeed = (key: KeyPair, name: string) => {
      const file = path.join(folder.path, name);
      writeFileSync(file, `${Buffer.from(key.getSeed()).toString()}\n`, { mode: 0o600 });
      return `${server.address}/${options}&nkey=${encodeURIComponent(file)}`;
    };
    expect(await writes(withSeed(member, 'member'))).toBe(1);
    await expect(opened(withSeed(stranger, 'stranger'))).rejects.toThrow(/the server refused the user/);
  });

  test('TLS checks the certificate; one of another authority is refused and named', async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-nats-tls-'));
    const write = (name: string, content: string) => {
      const file = path.join(folder.path, name);
      writeFileSync(file, content, { mode: 0o600 });
      return file;
    };
    const [theirs, other] = [await certificate(), await certificate()];
    const [cert, key] = [write('cert', theirs.cert), write('key', theirs.key)];
    await using server = await startNatsServer({
      settings: [`tls { cert_file: "${cert}", key_file: "${key}" }`],
    });
    const trusting = (file: string) => `${server.address}/${options}&tlsca=${encodeURIComponent(file)}`;
    expect(await writes(trusting(cert))).toBe(1);
    const refused = /the encrypted connection failed.*certificate/;
    await expect(opened(trusting(write('other', other.cert)))).rejects.toThrow(refused);
    await expect(opened(`${server.address}/${options}&tls=true`)).rejects.toThrow(refused);
  });
});
