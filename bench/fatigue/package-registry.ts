import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

/** A package registry on this machine's own network, so that installs are real and need a network. */
interface PackageRegistry extends AsyncDisposable {
  readonly url: string;
}

const version = '9.0.0';

/** Serves every package name as an empty package. `folder` is for the archive. */
export async function servePackages(folder: string): Promise<PackageRegistry> {
  const archive = packageArchive(folder);
  const integrity = `sha512-${createHash('sha512').update(archive).digest('base64')}`;
  const server = createServer((request, response) => {
    const name = decodeURIComponent((request.url ?? '').slice(1));
    if (name.endsWith('.tgz')) return response.end(archive);
    const tarball = `${url()}archive.tgz`;
    const release = { name, version, dist: { tarball, integrity } };
    response.setHeader('content-type', 'application/json');
    return response.end(
      JSON.stringify({ name, 'dist-tags': { latest: version }, versions: { [version]: release } }),
    );
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: url(),
    [Symbol.asyncDispose]: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function packageArchive(folder: string): Buffer {
  const file = path.join(folder, 'archive.tgz');
  mkdirSync(path.join(folder, 'package'), { recursive: true });
  writeFileSync(path.join(folder, 'package/package.json'), JSON.stringify({ name: 'empty', version }));
  writeFileSync(path.join(folder, 'package/index.js'), '');
  execFileSync('tar', ['czf', file, '-C', folder, 'package']);
  return readFileSync(file);
}
