import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * True if an address is on this machine, on a local network, or otherwise not a public host. An address that can't
 * be parsed counts as private.
 */
export function isPrivateAddress(address: string): boolean {
  const plain = address.replace(/^\[|\]$/g, '').replace(/%.*$/, '');
  const version = isIP(plain);
  if (version === 0) return true;
  if (version === 4) return PRIVATE.check(plain, 'ipv4');
  const inner = embeddedIPv4(plain);
  return inner === undefined ? PRIVATE.check(plain, 'ipv6') : isPrivateAddress(inner);
}

/** True if a URL's host is clearly private, without a DNS lookup. */
export function isPrivateHost(host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, '');
  if (name.startsWith('[') || isIP(name) !== 0) return isPrivateAddress(name);
  return (
    name === 'localhost' ||
    /\.(?:localhost|local|internal|home\.arpa|lan|intranet)$/.test(name) ||
    !name.includes('.')
  );
}

const PRIVATE = new BlockList();
for (const [net, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv4');
}
for (const [net, prefix] of [
  ['::', 128],
  ['::1', 128],
  ['100::', 64],
  ['2001:db8::', 32],
  ['2001::', 32],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  PRIVATE.addSubnet(net, prefix, 'ipv6');
}

// Mapped (::ffff:), compatible (::), translated (64:ff9b::) and 6to4 (2002:) forms reach the IPv4 host inside them.
function embeddedIPv4(address: string): string | undefined {
  const groups = expand(address);
  if (groups === undefined) return undefined;
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0] = groups;
  const startsEmpty = a === 0 && b === 0 && c === 0 && d === 0;
  const last = `${g >> 8}.${g & 255}.${h >> 8}.${h & 255}`;
  if (startsEmpty && (f === 0xffff || e === 0xffff)) return last;
  if (startsEmpty && e === 0 && f === 0 && g !== 0) return last;
  if (a === 0x64 && b === 0xff9b) return last;
  if (a === 0x2002) return `${b >> 8}.${b & 255}.${c >> 8}.${c & 255}`;
  return undefined;
}

function expand(address: string): readonly number[] | undefined {
  if (!isIPv6(address)) return undefined;
  const dotted = /^(.*:)(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(address);
  const hex = (high: string | undefined, low: string | undefined): string =>
    ((Number(high) << 8) | Number(low)).toString(16);
  const plain =
    dotted === null ? address : `${dotted[1] ?? ''}${hex(dotted[2], dotted[3])}:${hex(dotted[4], dotted[5])}`;
  const [head = '', tail] = plain.split('::');
  const numbers = (part: string): readonly number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  if (tail === undefined) return numbers(head);
  const missing = 8 - numbers(head).length - numbers(tail).length;
  return [...numbers(head), ...Array.from({ length: missing }, () => 0), ...numbers(tail)];
}
