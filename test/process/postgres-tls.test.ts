// TLS to the database: what is encrypted, what is checked, and what a wrong certificate says.
import { mkdtempDisposableSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { openPostgresStore } from '../../src/journal/postgres/postgres-store.ts';
import { certificate } from '../fixtures/certificate.ts';
import { findInstallation, own } from '../fixtures/postgres/installation.ts';
import { noServer, startServer } from '../fixtures/postgres/server.ts';

const installation = findInstallation();

test.skipIf(installation === undefined)(
  `[C151] a server is reached with TLS; a certificate of another authority is refused and named ${installation === undefined ? noServer : ''}`,
  async () => {
    using folder = mkdtempDisposableSync(path.join(os.tmpdir(), 'rondo-database-tls-'));
    own(folder.path, installation?.user ?? {});
    const write = (name: string, content: string) => {
      const file = path.join(folder.path, name);
      writeFileSync(file, content, { mode: 0o600 });
      own(file, installation?.user ?? {});
      return file;
    };
    const [theirs, other] = [await certificate(), await certificate()];
    const settings = {
      ssl: 'on',
      ssl_cert_file: write('cert', theirs.cert),
      ssl_key_file: write('key', theirs.key),
    };
    await using server = await startServer({ settings });
    const open = (options: string) =>
      openPostgresStore({ address: `${server.address}?${options}`, patience: { retryMs: 200 } });

    await using store = await open(`sslmode=verify-full&sslrootcert=${settings.ssl_cert_file}`);
    expect(await store.nodes.list()).toEqual([]);
    const wrong = open(`sslmode=verify-full&sslrootcert=${write('other', other.cert)}`);
    await expect(wrong).rejects.toThrow(/certificate/);
    await expect(open('sslmode=verify-full')).rejects.toThrow(/certificate/);
    await using unchecked = await open('sslmode=require');
    expect(await unchecked.nodes.list()).toEqual([]);
  },
);
