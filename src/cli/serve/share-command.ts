/** `rondo share`: read-only links to a session. */
import { openStore } from '../../assembly/open-store.ts';
import { Fault } from '../../kernel/fault.ts';
import { createShares, publicShare, type Shares } from '../../server/shares.ts';
import { commandWord } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { numberFrom } from '../number-option.ts';
import { storeAddressOf } from '../open-store.ts';
import { parseOptions, storedOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { printJson } from '../print-json.ts';
import { printTable } from '../print-table.ts';
import { openStoredSessions, type StoreChoice } from '../sessions/stored-sessions.ts';
import { resolveSessionId } from '../../session/read/resolve-session-id.ts';
import { usageError } from '../usage-error.ts';
import { existingOwnerToken, sharedFileIn } from './owner-token.ts';
import { findServer } from './running-server.ts';

const words = { create: 1, list: 0, revoke: 1 } as const;

const options = {
  days: { type: 'string', value: 'N', of: ['create'], help: 'days until it expires (default: 7)' },
  ...storedOptions,
} as const;

export const shareCommand: CliCommand = {
  usage: ['share create SESSION [--days N]', 'share list', 'share revoke ID'],
  about: `Read-only links to a session, with secrets redacted. A running server serves them. Anyone who has the link can
read the session until the link expires or is revoked.`,
  options,
  words,
  async run(argv) {
    const given = parseOptions(options, argv, { most: Infinity });
    const word = commandWord('share', words, options, given);
    const {
      values,
      words: [, name],
    } = given;
    const home = homeFolder();
    const isJson = values.json === true;
    personOnly(`share ${word}`);
    if (word === 'create')
      return create(home, await sessionNamed(name, values), numberFrom('days', values.days), isJson);
    const config = await configOf({ cwd: values.cwd ?? process.cwd() });
    await using store = await openStore(storeAddressOf(values.store, config));
    const shares = createShares(await sharedFileIn(store, home, 'shares'), Date.now);
    switch (word) {
      case 'list':
        return await list(shares, isJson);
      case 'revoke':
        return await revoke(shares, name, isJson);
    }
  },
};

/** The server knows only whole ids. */
async function sessionNamed(name: string | undefined, choice: StoreChoice): Promise<string | undefined> {
  if (name === undefined) return undefined;
  await using stored = await openStoredSessions(choice);
  return stored === undefined ? name : ((await resolveSessionId(stored.store.journal, name)) ?? name);
}

async function create(
  home: string,
  session: string | undefined,
  days: number | undefined,
  isJson: boolean,
): Promise<number> {
  if (session === undefined) throw usageError('a session is missing: `rondo share create SESSION`');
  const [server, owner] = await Promise.all([findServer(home), existingOwnerToken(home)]);
  if (server === undefined || owner === undefined)
    throw usageError('no server is running here; start one with `rondo serve`');
  const answer = await fetch(`${server.url}/api/v1/sessions/${encodeURIComponent(session)}/shares`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
    body: JSON.stringify(days === undefined ? {} : { days }),
  });
  const value = (await answer.json()) as {
    readonly path: string;
    readonly expiresAt: number;
    readonly id: string;
    readonly detail?: string;
  };
  if (!answer.ok)
    throw new Fault(
      'not-found',
      `can't share ${session}: ${value.detail ?? `the server answered ${answer.status}`}`,
    );
  const url = `${server.url}${value.path}`;
  if (isJson) printJson({ id: value.id, url, expiresAt: value.expiresAt });
  else {
    console.log(url);
    console.error(
      `${value.id}: until ${new Date(value.expiresAt).toISOString().slice(0, 10)}. The link is only shown now.`,
    );
  }
  return 0;
}

async function list(shares: Shares, isJson: boolean): Promise<number> {
  const records = (await shares.list()).map(publicShare);
  if (isJson) printJson({ shares: records });
  else {
    const columns = ['id', { title: 'session', gives: true }, 'by', 'until'];
    const rows = records.map(({ id, session, by, expiresAt }) => [
      id,
      session,
      by,
      new Date(expiresAt).toISOString().slice(0, 10),
    ]);
    printTable(columns, rows);
  }
  return 0;
}

async function revoke(shares: Shares, id: string | undefined, isJson: boolean): Promise<number> {
  if (id === undefined) throw usageError('which link? `rondo share list` shows the ids');
  if (!(await shares.revoke(id)))
    throw new Fault('not-found', `unknown share link ${id}; \`rondo share list\` lists them`);
  if (isJson) printJson({ revoked: id });
  else console.log(`Revoked ${id}.`);
  return 0;
}
