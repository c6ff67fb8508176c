/** `rondo nodes`: the servers on one store, and draining one of them. */
import { Fault } from '../../kernel/fault.ts';
import type { RegisteredNode } from '../../ports/nodes.ts';
import { publicNode } from '../../server/routes/node-routes.ts';
import { counted } from '../../wording/counted.ts';
import { ageText } from '../../wording/duration.ts';
import { nodeState } from '../../wording/node-state.ts';
import type { Row } from '../../wording/table.ts';
import { parseWords } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { storedOptions } from '../option-table.ts';
import { personOnly } from '../person-only.ts';
import { printJson } from '../print-json.ts';
import { openStoredSessions, type StoreChoice } from '../sessions/stored-sessions.ts';
import { printTable } from '../print-table.ts';
import { usageError } from '../usage-error.ts';

const words = { list: 0, drain: 1 } as const;

const options = storedOptions;

export const nodesCommand: CliCommand = {
  usage: ['nodes [list]', 'nodes drain NAME'],
  about: `Nodes are servers on one store (\`rondo serve\`). Each session is owned by one of them, and clients reach every
session through any node. \`drain\` stops a node: it takes no more sessions, hands its own over and exits.`,
  options,
  words,
  async run(argv) {
    const { word, values, rest } = parseWords('nodes', words, options, argv, 'list');
    const [name] = rest;
    const isJson = values.json === true;
    if (word === 'list') return list(values, isJson);
    if (name === undefined) throw usageError('which node? `rondo nodes` lists the names');
    personOnly('nodes drain');
    return drain(name, values, isJson);
  },
};

async function list(choice: StoreChoice, isJson: boolean): Promise<number> {
  await using stored = await openStoredSessions(choice);
  const nodes = stored === undefined ? [] : await stored.store.nodes.list();
  if (isJson) printJson({ nodes: nodes.map(publicNode) });
  else printNodes(nodes);
  return 0;
}

function printNodes(nodes: readonly RegisteredNode[]): void {
  const columns = [
    { title: 'name', gives: true },
    'state',
    { title: 'sessions', align: 'right' },
    'address',
    'labels',
    'version',
    { title: 'seen', align: 'right' },
  ] as const;
  const rows = nodes.map((node): Row => [
    node.name,
    nodeState(node),
    `${node.sessions}`,
    node.address ?? `none (process ${node.pid} on ${node.host})`,
    node.labels.join(','),
    node.version,
    ageText(node.silentMs),
  ]);
  printTable(columns, rows, 'No nodes. Start one with `rondo serve`.');
}

async function drain(name: string, choice: StoreChoice, isJson: boolean): Promise<number> {
  await using stored = await openStoredSessions(choice);
  const node = await stored?.store.nodes.drain(name);
  if (node === undefined)
    throw new Fault('not-found', `No running node is called ${name}; \`rondo nodes\` lists them.`);
  if (isJson) printJson(publicNode(node));
  else console.log(`Draining ${name}: it hands over ${counted(node.sessions, 'session')} and exits.`);
  return 0;
}
