/** Hosts' work in progress, shared documents and nodes. */
import type { SessionId } from '../../kernel/ids.ts';
import type { Documents, StoredDocument } from '../../ports/documents.ts';
import type { HostedRow, HostedRows } from '../../ports/hosted-rows.ts';
import type { NodeRow, NodeRows } from '../process-nodes.ts';
import type { ProcessRow } from '../process-row.ts';
import type { NatsParts } from './store-parts.ts';

type TableParts = Pick<NatsParts, 'client' | 'layout'>;

export function createNatsHostedRows({ client, layout }: TableParts): HostedRows {
  const subjectOf = (session: SessionId | '*') => layout.subject('live', 'hosted', session);
  return {
    async save(session, body) {
      const doing = `Updating the host of session ${session}`;
      if (body === undefined) await client.purge(doing, layout.live, subjectOf(session));
      else await client.publish(doing, subjectOf(session), JSON.stringify({ session, body } satisfies HostedRow));
    },
    async load() {
      const doing = 'Reading what was hosted';
      const rows: HostedRow[] = [];
      for await (const { body } of client.walk(doing, layout.live, subjectOf('*'), 1)) {
        rows.push(JSON.parse(body.toString()) as HostedRow);
      }
      return rows.toSorted((a, b) => (a.session < b.session ? -1 : 1));
    },
  };
}

export function createNatsDocuments({ client, layout }: TableParts): Documents {
  const subjectOf = (name: string) => layout.subject('kept', 'document', name);

  async function find(name: string) {
    const message = await client.last(`Reading document ${name}`, layout.kept, subjectOf(name));
    return message && { rev: message.seq, document: JSON.parse(message.body.toString()) as StoredDocument };
  }

  return {
    read: async (name) => (await find(name))?.document,
    async write(name, body, seen) {
      const current = await find(name);
      if ((current?.document.version ?? 0) !== seen) return false;
      const document: StoredDocument = { version: seen + 1, body };
      const written = await client.publish(`Writing document ${name}`, subjectOf(name), JSON.stringify(document), {
        expected: current?.rev ?? 0,
        stream: layout.kept,
      });
      return written !== undefined;
    },
  };
}

interface StoredNode {
  readonly name: string;
  readonly owner: string;
  readonly draining: number;
  readonly entry: string;
}

const noProcess: Readonly<Record<keyof ProcessRow, null>> = {
  number: null,
  id: null,
  pid: null,
  started_at: null,
  boot_id: null,
  host: null,
  expires_at: null,
  beat: null,
  taken: null,
};

export function natsNodeRows({ client, layout, processes, directory, self }: NatsParts): NodeRows {
  const doing = 'Reading the nodes';
  const subjectOf = (name: string) => layout.subject('live', 'node', name);

  async function stored(subject: string) {
    const message = await client.last(doing, layout.live, subject);
    return message && { rev: message.seq, node: JSON.parse(message.body.toString()) as StoredNode };
  }

  const storedNodes = async () => {
    const subjects = await client.subjects(doing, layout.live, subjectOf('*'));
    const nodes = await Promise.all(subjects.map(stored));
    return nodes.filter((node) => node !== undefined).toSorted((a, b) => (a.node.name < b.node.name ? -1 : 1));
  };

  async function rowOf({ owner, draining, entry }: StoredNode): Promise<NodeRow> {
    const process = await processes.find(owner);
    const sessions = [...(await directory.all()).values()].filter(({ head }) => head.owner === owner).length;
    return { owner, draining, entry, sessions, ...(process ?? noProcess) };
  }

  async function dropOthers(name: string): Promise<void> {
    for (const { rev, node } of await storedNodes()) {
      const isOurs = node.owner === self().id && node.name !== name;
      if (isOurs || (await processes.find(node.owner)) === undefined) await client.drop(doing, layout.live, rev);
    }
  }

  return {
    all: async () => Promise.all((await storedNodes()).map(({ node }) => rowOf(node))),
    async named(name) {
      const current = await stored(subjectOf(name));
      return current && rowOf(current.node);
    },
    async ofOwner(owner) {
      const current = (await storedNodes()).find(({ node }) => node.owner === owner);
      return current && rowOf(current.node);
    },
    async register(name, isDraining, entry, gone) {
      if (!(await processes.register())) return 'lost';
      const before = await stored(subjectOf(name));
      if (before !== undefined && before.node.owner !== self().id) {
        const holder = await processes.find(before.node.owner);
        const isGone = gone !== null && holder?.id === gone[0] && holder.beat === gone[1];
        if (holder !== undefined && holder.taken === 0 && !isGone) return 'name-taken';
      }
      const node: StoredNode = { name, owner: self().id, draining: isDraining ? 1 : 0, entry };
      const written = await client.publish(`Registering node ${name}`, subjectOf(name), JSON.stringify(node), {
        expected: before?.rev ?? 0,
        stream: layout.live,
      });
      if (written === undefined) return 'name-taken';
      await dropOthers(name);
      return 'registered';
    },
    async drain(name) {
      for (;;) {
        const current = await stored(subjectOf(name));
        if (current === undefined) return;
        const written = await client.publish(
          `Draining node ${name}`,
          subjectOf(name),
          JSON.stringify({ ...current.node, draining: 1 } satisfies StoredNode),
          { expected: current.rev, stream: layout.live },
        );
        if (written !== undefined) return;
      }
    },
  };
}
