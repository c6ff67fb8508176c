import dns from 'node:dns';
import type { LookupFunction } from 'node:net';

import { isPrivateAddress } from './private-address.ts';

/** Fails for a name that leads to a private address. */
export const publicLookup: LookupFunction = (host, options, callback) => {
  dns.lookup(host, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, '', 0);
    const bad = addresses.find(({ address }) => isPrivateAddress(address));
    const [first] = addresses;
    if (bad !== undefined || first === undefined) {
      const refused = Object.assign(
        new Error(`${host} leads to ${bad?.address ?? 'nowhere'}, which is not a public address`),
        { code: 'PRIVATE_ADDRESS' },
      );
      return callback(refused, '', 0);
    }
    if (options.all === true) callback(null, addresses);
    else callback(null, first.address, first.family);
  });
};
