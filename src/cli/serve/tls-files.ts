import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { usageError } from '../usage-error.ts';

/** Certificate and key of an HTTPS server. Only a pair that belongs together can serve. */
export async function readTlsFiles(files: { readonly cert: string; readonly key: string }) {
  const cert = await fileText(files.cert);
  const key = await fileText(files.key);
  const certificate = parsed(() => new X509Certificate(cert));
  if (certificate === undefined) throw usageError(`--tls-cert: ${files.cert} holds no PEM certificate`);
  const privateKey = parsed(() => createPrivateKey(key));
  if (privateKey === undefined)
    throw usageError(`--tls-key: ${files.key} holds no PEM private key, or one with a passphrase`);
  if (!certificate.checkPrivateKey(privateKey))
    throw usageError(
      `--tls-key: ${files.key} isn't the key of the first certificate in ${files.cert}; that must be the server's`,
    );
  return { cert, key };
}

function parsed<Value>(parse: () => Value): Value | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

async function fileText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`can't read ${file}: ${(error as Error).message}`);
  }
}
