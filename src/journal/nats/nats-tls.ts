import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

import { optional } from '../../kernel/optional.ts';
import type { NatsPlace } from './nats-address.ts';

/** The client would check the certificate of a server that is named by its IP address against "localhost". */
export function natsTls({ servers, authority }: Pick<NatsPlace, 'servers' | 'authority'>) {
  const addresses = servers.map(hostOf).filter((host) => isIP(host) !== 0);
  const names = new Set(servers.map(hostOf).filter((host) => isIP(host) === 0));
  return {
    ...optional({ caFile: authority }),
    checkServerIdentity(host: string, cert: PeerCertificate): Error | undefined {
      const wanted = names.has(host) || addresses.length === 0 ? [host] : addresses;
      const problems = wanted.map((one) => checkServerIdentity(one, cert));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}

function hostOf(server: string): string {
  return /^\[(.+)\]/.exec(server)?.[1] ?? server.replace(/:\d+$/, '');
}
