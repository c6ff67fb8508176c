/** Hosts' work in progress, shared documents and nodes. */
import type { Documents, StoredDocument } from '../../ports/documents.ts';
import type { HostedRow, HostedRows } from '../../ports/hosted-rows.ts';
import type { NodeRow, NodeRows } from '../process-nodes.ts';
import type { RegisterWritten } from '../process-row.ts';
import type { StoreParts } from './store-parts.ts';

export function createPostgresHostedRows({ db, s }: StoreParts): HostedRows {
  return {
    async save(session, body) {
      const doing = `Updating the host of session ${session}`;
      if (body === undefined) await db.rows(doing, `DELETE FROM ${s}.hosted WHERE session = $1`, [session]);
      else {
        await db.rows(
          doing,
          `WITH durable AS MATERIALIZED (SELECT ${s}.durable())
           INSERT INTO ${s}.hosted (session, body) SELECT $1, $2 FROM durable
           ON CONFLICT (session) DO UPDATE SET body = excluded.body`,
          [session, body],
        );
      }
    },
    load: () =>
      db.rows<HostedRow>('Reading what was hosted', `SELECT session, body FROM ${s}.hosted ORDER BY session`),
  };
}

export function createPostgresDocuments({ db, s }: StoreParts): Documents {
  async function read(name: string): Promise<StoredDocument | undefined> {
    const sql = `SELECT version, body FROM ${s}.documents WHERE name = $1`;
    return (await db.rows<StoredDocument>(`Reading document ${name}`, sql, [name]))[0];
  }

  return {
    read,
    async write(name, body, seen) {
      const written = await db.rows(
        `Writing document ${name}`,
        seen === 0
          ? `INSERT INTO ${s}.documents (name, body, version) VALUES ($1, $2, $3 + 1) ON CONFLICT DO NOTHING RETURNING 1`
          : `UPDATE ${s}.documents SET body = $2, version = version + 1 WHERE name = $1 AND version = $3 RETURNING 1`,
        [name, body, seen],
      );
      return written.length > 0;
    },
  };
}

export function postgresNodeRows({ db, s, self, clock }: StoreParts): NodeRows {
  const rows = (where: string, ...given: readonly string[]) =>
    db.rows<NodeRow>(
      'Reading the nodes',
      `SELECT nodes.owner, nodes.draining, nodes.entry, processes.*,
         (SELECT count(*) FROM ${s}.sessions WHERE sessions.owner = processes.number) AS sessions
       FROM ${s}.nodes LEFT JOIN ${s}.processes ON processes.id = nodes.owner ${where} ORDER BY nodes.name`,
      given,
    );
  const row = async (where: string, given: string) => (await rows(where, given))[0];
  return {
    all: () => rows(''),
    named: (name) => row('WHERE nodes.name = $1', name),
    ofOwner: (owner) => row('WHERE nodes.owner = $1', owner),
    register: (name, isDraining, entry, gone) =>
      db.value<RegisterWritten>(`Registering node ${name}`, `SELECT ${s}.register_node($1, $2, $3, $4, $5, $6)`, [
        self(),
        name,
        isDraining ? 1 : 0,
        entry,
        gone,
        clock.now(),
      ]),
    async drain(name) {
      await db.rows(`Draining node ${name}`, `UPDATE ${s}.nodes SET draining = 1 WHERE name = $1`, [name]);
    },
  };
}
