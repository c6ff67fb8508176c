// A browser that comes with the packages: nothing is downloaded, installed or run as root.
//
// 1. The packed Chromium is unpacked once per machine, into a folder named by its version. It appears whole or not
//    at all.
// 2. If the machine lacks its libraries, the packed ones are used; if that fails, an installed Chromium or Chrome.
import {
  chmodSync,
  createReadStream,
  createWriteStream,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';

import { inflate, setupLambdaEnvironment } from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

const args = [
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];
const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

export async function launchChromium(): Promise<Browser> {
  const problems: string[] = [];
  const start = async (executablePath: string, env: NodeJS.ProcessEnv = process.env) =>
    chromium.launch({ executablePath, args, env }).catch((error: unknown) => {
      problems.push(`${executablePath}: ${(error as Error).message.slice(0, 500)}`);
      return undefined;
    });
  const own = await unpacked();
  const found = (await start(own)) ?? (await start(own, await withLibraries()));
  if (found !== undefined) return found;
  for (const place of installed.filter((file) => existsSync(file))) {
    const other = await start(place);
    if (other !== undefined) return other;
  }
  throw new Error(`No browser could be started:\n${problems.join('\n')}`);
}

async function unpacked(): Promise<string> {
  const source = path.join(path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium')), '..');
  const { version } = JSON.parse(readFileSync(path.join(source, 'package.json'), 'utf8')) as { version: string };
  const folder = path.join(os.tmpdir(), `rondo-chromium-${version}-${process.getuid?.() ?? 'user'}`);
  const target = path.join(folder, 'chromium');
  if (existsSync(target)) return target;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const part = `${target}.${process.pid}`;
  try {
    const packedFile = createReadStream(path.join(source, 'bin/chromium.br'));
    await pipeline(packedFile, createBrotliDecompress(), createWriteStream(part, { mode: 0o700 }));
    chmodSync(part, 0o700);
    renameSync(part, target);
  } finally {
    rmSync(part, { force: true });
  }
  return target;
}

/** The package itself unpacks its libraries and fonts only if it detects the system they were built for. */
async function withLibraries(): Promise<NodeJS.ProcessEnv> {
  const source = path.dirname(createRequire(import.meta.url).resolve('@sparticuz/chromium'));
  const libraries = await inflate(path.join(source, '../bin/al2023.tar.br'));
  await inflate(path.join(source, '../bin/fonts.tar.br'));
  setupLambdaEnvironment(path.join(libraries, 'lib'));
  return { ...process.env };
}
