/** The path of the proxy's socket inside the sandbox. */
export const PROXY_SOCKET = '/tmp/.rondo-proxy';

/**
 * Wraps the command in a small program that first listens on a port inside the sandbox and forwards connections to
 * the proxy's socket. Most programs can only reach a proxy by port.
 */
export function forwarded(argv: readonly string[]): readonly string[] {
  return [process.execPath, '-e', FORWARDER, '--', ...argv];
}

const PORT = 18_080;
const ADDRESS = `http://127.0.0.1:${PORT}`;

export const PROXY_VARIABLES: Readonly<Record<string, string>> = {
  HTTP_PROXY: ADDRESS,
  HTTPS_PROXY: ADDRESS,
  ALL_PROXY: ADDRESS,
  http_proxy: ADDRESS,
  https_proxy: ADDRESS,
  all_proxy: ADDRESS,
  NO_PROXY: '',
  no_proxy: '',
};

// A string, because it must run inside the sandbox wherever Rondo is installed or bundled.
const FORWARDER = `
const net = require('node:net');
const { spawn } = require('node:child_process');
const server = net.createServer((client) => {
  const proxy = net.connect(${JSON.stringify(PROXY_SOCKET)});
  client.pipe(proxy).pipe(client);
  client.on('error', () => proxy.destroy());
  proxy.on('error', () => client.destroy());
});
server.listen(${PORT}, '127.0.0.1', () => {
  const [program, ...args] = process.argv.slice(1);
  const child = spawn(program, args, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => { process.stderr.write(error.message + '\\n'); process.exit(127); });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code);
    process.exit(128 + require('node:os').constants.signals[signal]);
  });
});
`;
