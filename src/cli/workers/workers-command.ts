import path from 'node:path';

import { Fault } from '../../kernel/fault.ts';
import { parseWords } from '../command-word.ts';
import type { CliCommand } from '../command.ts';
import { storedOptions } from '../option-table.ts';
import { printJson } from '../print-json.ts';
import { openStoredSessions, type StoreChoice } from '../sessions/stored-sessions.ts';
import type { Row } from '../../wording/table.ts';
import { printTable } from '../print-table.ts';
import type { WorkerView } from '../../ports/workforce.ts';
import { usageError } from '../usage-error.ts';
import { checkAgent, checkModel } from './check-names.ts';
import { openWorkspace } from '../workspace.ts';
import { deleteWorker } from './delete-worker.ts';
import { workersIn } from './stored-workforce.ts';
import { optional } from '../../kernel/optional.ts';

const words = { list: 0, create: 1, rename: 2, delete: 1 } as const;

const options = {
  agent: {
    type: 'string',
    value: 'NAME',
    of: ['create'],
    help: 'agent of the worker (default: the default agent)',
  },
  model: { type: 'string', value: 'NAME', of: ['create'], help: "model to use (default: the agent's)" },
  ...storedOptions,
} as const;

export const workersCommand: CliCommand = {
  usage: [
    'workers [list]',
    'workers create NAME [--agent A] [--model M]',
    'workers rename NAME NEW',
    'workers delete NAME',
  ],
  about: `A worker has a name, an agent, a model and a history, and runs any number of jobs. \`delete\` cancels its jobs
first. Its session stays; read it with \`rondo show\`.`,
  options,
  words,
  async run(argv) {
    const { word, values, rest } = parseWords('workers', words, options, argv, 'list');
    const [name, newName] = rest;
    const isJson = values.json === true;
    if (word === 'list') return list(values, isJson);
    if (name === undefined || name.trim() === '') throw usageError(`which worker? \`rondo workers ${word} NAME\``);
    if (word === 'rename') return rename(name, newName, values, isJson);
    return word === 'create' ? create(name, values, isJson) : remove(name, values, isJson);
  },
};

async function list(choice: StoreChoice, isJson: boolean): Promise<number> {
  await using stored = await openStoredSessions(choice);
  const workers = stored === undefined ? [] : await workersIn(stored.store, Date.now());
  if (isJson) printJson({ workers });
  else printWorkers(workers);
  return 0;
}

function printWorkers(workers: readonly WorkerView[]): void {
  const columns = [
    { title: 'name', gives: true },
    'agent',
    'model',
    'state',
    { title: 'jobs', align: 'right' },
  ] as const;
  const rows = workers.map(({ name, agent, model, state, jobs }): Row => [
    name,
    agent ?? '(default)',
    model ?? '-',
    { text: state, tone: state === 'inactive' ? 'quiet' : state === 'inactive-failed' ? 'bad' : 'good' },
    jobs.active === 0 ? String(jobs.all) : `${jobs.all} (${jobs.active} active)`,
  ]);
  printTable(columns, rows, 'No workers. Create one with `rondo workers create NAME`.');
}

interface Given extends StoreChoice {
  readonly agent?: string | undefined;
  readonly model?: string | undefined;
}

async function create(name: string, { agent, model, cwd, store }: Given, isJson: boolean): Promise<number> {
  const folder = path.resolve(cwd ?? '.');
  await using workspace = await openWorkspace({ cwd: folder, ...optional({ store }) });
  if (agent !== undefined) checkAgent(workspace, agent);
  if (model !== undefined) await checkModel(workspace, model);
  const { id } = await workspace.rondo.workers.create(name, {
    cwd: folder,
    rules: workspace.rules,
    ...optional({ agent, model }),
  });
  if (isJson) printJson({ id, name, ...optional({ agent, model }) });
  else console.log(`Created worker ${name}. Give it jobs with \`rondo jobs run FILE\`.`);
  return 0;
}

async function rename(
  name: string,
  to: string | undefined,
  choice: StoreChoice,
  isJson: boolean,
): Promise<number> {
  if (to === undefined || to.trim() === '')
    throw usageError('a new name is missing: `rondo workers rename NAME NEW`');
  await using stored = await openStoredSessions(choice);
  const worker = (await stored?.store.jobs.workers({ parent: null }))?.find((row) => row.name === name);
  if (stored === undefined || worker === undefined) throw noWorker(name);
  const answer = await stored.store.jobs.changeWorker(worker.id, { name: to });
  if (answer.type === 'not-found') throw noWorker(name);
  if (answer.type === 'name-taken')
    throw new Fault('busy', `Can't rename worker ${name}: the name ${to} is taken. Choose another.`);
  if (isJson) printJson({ id: worker.id, name: to });
  else console.log(`Renamed worker ${name} to ${to}.`);
  return 0;
}

async function remove(name: string, choice: StoreChoice, isJson: boolean): Promise<number> {
  await using stored = await openStoredSessions(choice);
  const worker = (await stored?.store.jobs.workers({ parent: null }))?.find((row) => row.name === name);
  if (stored === undefined || worker === undefined) throw noWorker(name);
  const { cancelled } = await deleteWorker(stored.store, worker);
  if (isJson) printJson({ id: worker.id, name, cancelled });
  else
    console.log(`Deleted worker ${name}${cancelled.length === 0 ? '' : `; cancelled: ${cancelled.join(', ')}`}.`);
  return 0;
}

function noWorker(name: string): Fault {
  return new Fault('not-found', `unknown worker ${name} in this store; \`rondo workers\` lists them`);
}
