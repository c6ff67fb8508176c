/** Nodes on the server's store. */
import { fleetReader } from '../../journal/reader-version.ts';
import { optional } from '../../kernel/optional.ts';
import type { RegisteredNode } from '../../ports/nodes.ts';
import { failed } from '../outcome.ts';
import { ok, param, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function nodeRoutes({ node }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/nodes',
      operation: 'listNodes',
      summary: 'List the servers on this store, with the sessions they own',
      role: 'viewer',
      async handle() {
        const nodes = (await node?.list()) ?? [];
        return ok({
          ...optional({ self: node?.name }),
          reader: fleetReader(nodes),
          nodes: nodes.map(publicNode),
        });
      },
    },
    {
      method: 'POST',
      path: '/nodes/:name/drain',
      operation: 'drainNode',
      summary: 'Hand the sessions of a node over to the others and stop it',
      role: 'owner',
      isForPeople: true,
      status: 202,
      async handle(call) {
        const name = param(call, 'name');
        const drained = await node?.drain(name);
        if (drained === undefined) return failed('NOT_FOUND', `No running node is called ${name}.`);
        return ok(publicNode(drained), 202);
      },
    },
  ];
}

/** Without the keys, which only nodes need. */
export function publicNode({ publicKey: _key, fingerprint: _fingerprint, ...node }: RegisteredNode) {
  return node;
}
