/**
 * The host that a TLS client requests, read from its first record (RFC 8446 4.1.2, RFC 6066 3). `more`: the record
 * is still incomplete. `none`: it names no host, or isn't TLS.
 */
type ServerName =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'more' }
  | { readonly type: 'none' };

export function readServerName(data: Buffer): ServerName {
  if (data.length < 5) return data.length > 0 && data[0] !== 0x16 ? NONE : { type: 'more' };
  if (data[0] !== 0x16 || data[1] !== 3) return NONE;
  const length = data.readUInt16BE(3);
  if (length > 16_384) return NONE;
  if (data.length < 5 + length) return { type: 'more' };
  try {
    return nameIn(data.subarray(5, 5 + length));
  } catch {
    return NONE;
  }
}

const NONE: ServerName = { type: 'none' };

/** Reads beyond the end throw, which counts as no name. */
function nameIn(hello: Buffer): ServerName {
  if (hello.readUInt8(0) !== 1) return NONE;
  let at = 4 + 2 + 32;
  at += 1 + hello.readUInt8(at);
  at += 2 + hello.readUInt16BE(at);
  at += 1 + hello.readUInt8(at);
  const end = at + 2 + hello.readUInt16BE(at);
  at += 2;
  while (at < end) {
    const type = hello.readUInt16BE(at);
    const size = hello.readUInt16BE(at + 2);
    // One list with one entry of type host name. Its length follows the list's length and the type.
    if (type === 0) {
      const name = hello.subarray(at + 9, at + 9 + hello.readUInt16BE(at + 7)).toString('latin1');
      return hello.readUInt8(at + 6) === 0 && name.length === size - 5 ? { type: 'name', name } : NONE;
    }
    at += 4 + size;
  }
  return NONE;
}
