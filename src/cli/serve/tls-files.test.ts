import { expect, test } from 'vitest';

import { certificate } from '../../../test/fixtures/certificate.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { readTlsFiles } from './tls-files.ts';

test('[C153] a certificate serves only with its own key, and other files are named', async () => {
  await using folder = await temporaryFolder();
  const [own, other] = [await certificate(), await certificate()];
  await Promise.all([
    folder.write('cert', own.cert),
    folder.write('key', own.key),
    folder.write('strange', other.key),
  ]);
  const [cert, key, strange] = [folder.at('cert'), folder.at('key'), folder.at('strange')];
  expect(await readTlsFiles({ cert, key })).toEqual({ cert: own.cert, key: own.key });
  await expect(readTlsFiles({ cert, key: strange })).rejects.toThrow(/strange isn't the key of the first/);
  await expect(readTlsFiles({ cert: key, key })).rejects.toThrow(/--tls-cert: .*key holds no PEM certificate/);
  await expect(readTlsFiles({ cert, key: cert })).rejects.toThrow(/--tls-key: .*cert holds no PEM private key/);
  await expect(readTlsFiles({ cert: 'missing', key })).rejects.toThrow("can't read missing: ENOENT");
});
