import { BlockList, isIP } from 'node:net';

/** Why an address can't be advertised to other nodes. */
export function addressProblem(
  address: string,
  { isInsecure }: { readonly isInsecure: boolean },
): string | undefined {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return `${address} isn't an http or https address`;
  if (url.username !== '' || url.password !== '')
    return `${address} contains a password; nodes sign their requests`;
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '') return `${address} must not have a path`;
  if (url.protocol === 'https:' || isInsecure || isLoopback(url.hostname)) return undefined;
  return `${address} is reachable from the network without TLS; use https, or --insecure on a network that you trust`;
}

export function isLoopback(host: string): boolean {
  const plain = host.replace(/^\[(.*)\]$/, '$1');
  if (plain === 'localhost') return true;
  const loopback = new BlockList();
  loopback.addSubnet('127.0.0.0', 8, 'ipv4');
  loopback.addAddress('::1', 'ipv6');
  const family = isIP(plain);
  return family !== 0 && loopback.check(plain, family === 6 ? 'ipv6' : 'ipv4');
}
