import { openStore } from '../../assembly/open-store.ts';
import { Fault } from '../../kernel/fault.ts';
import { roles, type Role } from '../../protocol/http-schema.ts';
import { publicToken } from '../../server/routes/access-routes.ts';
import { createTokens, type Tokens } from '../../server/tokens.ts';
import { parseWords } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { numberFrom } from '../number-option.ts';
import { storedOptions } from '../option-table.ts';
import { storeAddressOf } from '../open-store.ts';
import { printJson } from '../print-json.ts';
import { printTable } from '../print-table.ts';
import { personOnly } from '../person-only.ts';
import { usageError } from '../usage-error.ts';
import { existingOwnerToken, ownerToken, sharedFileIn } from './owner-token.ts';
import { findServer } from './running-server.ts';

const words = { create: 1, list: 0, revoke: 1, link: 0 } as const;

const options = {
  role: {
    type: 'string',
    value: 'ROLE',
    values: roles,
    of: ['create'],
    help: `${roles.join(', ')} (default: viewer)`,
  },
  days: { type: 'string', value: 'N', of: ['create'], help: 'days until it expires (default: never)' },
  ...storedOptions,
} as const;

export const tokenCommand: CliCommand = {
  usage: ['token create NAME [--role ROLE] [--days N]', 'token list', 'token revoke ID', 'token link'],
  about: `Tokens give programs and people access to the server. A viewer reads; a prompter also sends prompts; an approver
also answers questions; an owner can do everything. \`link\` prints a link that signs one browser in, once.`,
  options,
  words,
  async run(argv) {
    const { word, values, rest } = parseWords('token', words, options, argv);
    const [name] = rest;
    const home = homeFolder();
    const isJson = values.json === true;
    personOnly(`token ${word}`);
    if (word === 'link') return link(home, isJson);
    const config = await configOf({ cwd: values.cwd ?? process.cwd() });
    await using store = await openStore(storeAddressOf(values.store, config));
    const tokens = createTokens({
      file: await sharedFileIn(store, home, 'tokens'),
      owner: await ownerToken(home),
      now: Date.now,
    });
    switch (word) {
      case 'create':
        return await create(tokens, name, roleFrom(values.role), numberFrom('days', values.days), isJson);
      case 'list':
        return await list(tokens, isJson);
      case 'revoke':
        return await revoke(tokens, name, isJson);
    }
  },
};

async function create(
  tokens: Tokens,
  name: string | undefined,
  role: Role,
  days: number | undefined,
  isJson: boolean,
): Promise<number> {
  if (name === undefined) throw usageError('a name is missing: `rondo token create NAME`');
  const { secret, record } = await tokens.issue({
    name,
    role,
    ...(days !== undefined && { lifeMs: days * 86_400_000 }),
  });
  if (isJson) printJson({ ...publicToken(record), token: secret });
  else {
    console.log(secret);
    console.error(`${record.id}: ${name} is ${role}. The token is only shown now.`);
  }
  return 0;
}

async function list(tokens: Tokens, isJson: boolean): Promise<number> {
  const records = (await tokens.list()).map(publicToken);
  if (isJson) printJson({ tokens: records });
  else {
    const columns = ['id', { title: 'name', gives: true }, 'role', 'kind', 'since'];
    const rows = records.map(({ id, name, role, kind, createdAt }) => [
      id,
      name,
      role,
      kind,
      new Date(createdAt).toISOString().slice(0, 10),
    ]);
    printTable(columns, rows);
  }
  return 0;
}

async function revoke(tokens: Tokens, id: string | undefined, isJson: boolean): Promise<number> {
  if (id === undefined) throw usageError('which token? `rondo token list` shows the ids');
  if (!(await tokens.revoke(id))) {
    throw new Fault('not-found', `unknown token ${id}; \`rondo token list\` lists them`);
  }
  if (isJson) printJson({ revoked: id });
  else console.log(`Revoked ${id}.`);
  return 0;
}

async function link(home: string, isJson: boolean): Promise<number> {
  const [server, owner] = await Promise.all([findServer(home), existingOwnerToken(home)]);
  if (server === undefined || owner === undefined)
    throw usageError('no server is running here; start one with `rondo serve`');
  const answer = await fetch(`${server.url}/api/v1/login-codes`, {
    method: 'POST',
    headers: { authorization: `Bearer ${owner}` },
  });
  if (!answer.ok)
    throw new Fault(
      'network',
      `can't get a link from ${server.url}: it answered ${answer.status}. Restart the server and retry`,
    );
  const { code } = (await answer.json()) as { code: string };
  const url = `${server.url}/#token=${code}`;
  if (isJson) printJson({ url });
  else console.log(url);
  return 0;
}

function roleFrom(given: string | undefined): Role {
  const role = roles.find((one) => one === (given ?? 'viewer'));
  if (role === undefined) throw usageError(`unknown role "${given}"; use one of ${roles.join(', ')}`);
  return role;
}
