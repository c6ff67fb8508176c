// Updates node_modules before a command runs, and does nothing if it is current. Written so that old Nodes can read
// it.
//
// 1. npm must run on the machine's own Node, never on the fallback: a fallback that npm itself runs on would look
//    unneeded, and npm would remove it.
// 2. The stamp is written only after npm succeeded. It is inside node_modules, so deleting the folder deletes it
//    too.
'use strict';

const { spawn } = require('node:child_process');
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');

const { completeLock } = require('./complete-lock.cjs');

const ROOT = path.resolve(__dirname, '..');
const MODULES = path.join(ROOT, 'node_modules');
const STAMP = path.join(MODULES, '.rondo-setup');
const LOCK = path.join(MODULES, '.rondo-setup-lock');
/** Replaces the lock file while npm runs, if the lock lacks this platform's packages. */
const SHRINKWRAP = path.join(ROOT, 'npm-shrinkwrap.json');
const INPUTS = [
  'package.json',
  'package-lock.json',
  'packages/node-fallback/package.json',
  'packages/test-postgres/package.json',
  '.npmrc',
  'scripts/complete-lock.cjs',
];

const machineNode = findMachineNode();
if (!isCurrent()) {
  takeLock();
  if (isCurrent()) releaseLock();
  else install();
}

function isCurrent() {
  return readText(STAMP) === fingerprint() && fs.existsSync(path.join(MODULES, '.package-lock.json'));
}

function fingerprint() {
  const hash = createHash('sha256');
  for (const file of INPUTS) hash.update(`${file}\n${readText(path.join(ROOT, file))}\n`);
  const node = fs.statSync(machineNode);
  hash.update([process.platform, process.arch, machineNode, node.size, node.mtimeMs].join('\n'));
  return hash.digest('hex');
}

function install() {
  const started = Date.now();
  const progress = showProgress('Setting up Rondo (npm install)', started);
  const options = [
    'install',
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--no-progress',
    '--no-engine-strict',
    '--include=dev',
    '--include=optional',
    '--loglevel=error',
  ];
  completeLockFile();
  const npm = process.env.npm_execpath;
  const viaNode = npm !== undefined && /npm-cli\.c?js$/.test(npm);
  const child = viaNode
    ? spawn(machineNode, [npm, ...options], { cwd: ROOT, env: machineEnvironment() })
    : spawn('npm', options, { cwd: ROOT, env: machineEnvironment(), shell: process.platform === 'win32' });

  let output = '';
  child.stdout.on('data', (chunk) => (output += chunk));
  child.stderr.on('data', (chunk) => (output += chunk));
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      child.kill(signal);
      releaseLock();
      process.exit(signal === 'SIGINT' ? 130 : 143);
    });
  }
  child.on('error', (error) => fail(`npm could not be started: ${error.message}`));
  child.on('close', (code) => {
    if (code !== 0) return fail(output);
    fs.writeFileSync(STAMP, fingerprint());
    releaseLock();
    progress.end(`done in ${seconds(started)}`);
  });

  function fail(reason) {
    releaseLock();
    progress.end('failed');
    process.stderr.write(
      `${reason.trim()}\n\nSet-up did not finish: \`npm install\` failed. Run the command again once that is solved.\n`,
    );
    process.exit(1);
  }
}

// npm installs nothing that a lock omits. A shrinkwrap replaces the lock; --no-save keeps both unchanged.
function completeLockFile() {
  const target = { platform: process.platform, arch: process.arch, libc: libcOfMachine() };
  const completed = completeLock(JSON.parse(readText(path.join(ROOT, 'package-lock.json'))), target);
  if (completed !== undefined) fs.writeFileSync(SHRINKWRAP, JSON.stringify(completed, undefined, 2));
}

function libcOfMachine() {
  if (process.platform !== 'linux') return undefined;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'gnu';
}

// Progress goes to stderr, so that the command's own output stays clean.
function showProgress(title, started) {
  const stream = process.stderr;
  if (!stream.isTTY) {
    stream.write(`${title} …\n`);
    return { end: (text) => stream.write(`${title}: ${text}\n`) };
  }
  const draw = () => stream.write(`\r${title} … ${seconds(started)}`);
  draw();
  const timer = setInterval(draw, 1000);
  return {
    end: (text) => {
      clearInterval(timer);
      stream.write(`\r\u001b[K${title}: ${text}\n`);
    },
  };
}

function findMachineNode() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const onPath = (process.env.PATH || '').split(path.delimiter).map((folder) => path.join(folder, name));
  for (const file of [process.env.npm_node_execpath, process.execPath, ...onPath]) {
    if (!file || !fs.existsSync(file)) continue;
    const real = fs.realpathSync(file);
    if (!isInside(MODULES, real)) return real;
  }
  return process.execPath;
}

// npm's own variables and the fallback in PATH would mislead the inner npm.
function machineEnvironment() {
  const env = {};
  for (const key of Object.keys(process.env)) {
    if (!/^npm_(package|lifecycle|node_execpath|command|config_user_agent)/i.test(key))
      env[key] = process.env[key];
  }
  env.PATH = (process.env.PATH || '')
    .split(path.delimiter)
    .filter((folder) => !isInside(MODULES, folder))
    .join(path.delimiter);
  return env;
}

// `npm start` and `npm test` may start in parallel in a fresh clone: the second one waits.
function takeLock() {
  fs.mkdirSync(MODULES, { recursive: true });
  for (;;) {
    try {
      fs.writeFileSync(LOCK, String(process.pid), { flag: 'wx' });
      return;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    if (isRunning(Number(readText(LOCK)))) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
    else releaseLock();
  }
}

function releaseLock() {
  fs.rmSync(SHRINKWRAP, { force: true });
  fs.rmSync(LOCK, { force: true });
}

function isRunning(pid) {
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function isInside(folder, file) {
  const relative = path.relative(folder, path.resolve(file));
  return relative !== '..' && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function seconds(started) {
  return `${Math.round((Date.now() - started) / 1000)} s`;
}
