// `npm start`: builds the web app if its sources changed, then serves.
//
//     npm start [-- OPTIONS OF `rondo serve`]
//
// npm forwards a signal only to its shell, and most shells exit without forwarding it. So the server stops when
// that shell is gone, as it does on a signal.
import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const shell = process.ppid;

const { status } = spawnSync(process.execPath, [path.join(root, 'scripts/build-web.ts')], { stdio: 'inherit' });
if (status !== 0) process.exit(status ?? 1);

setInterval(() => {
  if (process.ppid !== shell) process.kill(process.pid, 'SIGTERM');
}, 250).unref();

const command = path.join(root, 'bin/rondo.cjs');
process.argv = [process.execPath, command, 'serve', ...process.argv.slice(2)];
await import(command);
