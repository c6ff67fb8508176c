import type { NodeRow, NodeRows } from '../process-nodes.ts';
import type { RegisterWritten } from '../process-row.ts';
import type { StoreParts } from './store-parts.ts';

export function sqliteNodeRows({ read, writer }: StoreParts): NodeRows {
  const rows = (where: string, ...given: readonly string[]) =>
    read('Reading the nodes', (db) => db.all<NodeRow>(`${selectNodes} ${where} ORDER BY nodes.name`, ...given));
  const row = async (where: string, given: string) => (await rows(where, given))[0];
  return {
    all: () => rows(''),
    named: (name) => row('WHERE nodes.name = ?', name),
    ofOwner: (owner) => row('WHERE nodes.owner = ?', owner),
    register: async (...given) => (await writer.write(['node', ['register', ...given]])) as RegisterWritten,
    async drain(name) {
      await writer.write(['node', ['drain', name]]);
    },
  };
}

const selectNodes = `
  SELECT nodes.owner, nodes.draining, nodes.entry, processes.*,
    (SELECT count(*) FROM sessions WHERE sessions.owner = processes.number) AS sessions
  FROM nodes LEFT JOIN processes ON processes.id = nodes.owner`;
