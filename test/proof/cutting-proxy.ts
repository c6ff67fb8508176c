import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A proxy between clients and a server whose connections can be cut, like a network. */
export interface CuttingProxy extends AsyncDisposable {
  readonly port: number;
  /** Cuts all connections and returns their number. */
  cut(): number;
}

export async function createCuttingProxy(target: () => number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  const server = createServer((inward) => {
    const outward = connect(target(), '127.0.0.1');
    for (const [socket, other] of [
      [inward, outward],
      [outward, inward],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    const open = Math.ceil(sockets.size / 2);
    for (const socket of sockets) socket.destroy();
    return open;
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut,
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
