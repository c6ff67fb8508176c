/** Reads a list of jobs from a file and validates it as a whole before running any of it. */
import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';

import { z } from 'zod';

import { priorities } from '../../journal/job-priorities.ts';
import { nearestName } from '../../kernel/nearest-name.ts';
import { usageError } from '../usage-error.ts';

const name = z.string().min(1).max(200);

/** The format of a file for `rondo jobs run FILE`. */
export const jobList = z
  .array(
    z.strictObject({
      id: name,
      worker: name.exactOptional(),
      agent: name.exactOptional(),
      prompt: z.string().min(1),
      after: z.array(z.string()).exactOptional(),
      priority: z.enum(priorities).exactOptional(),
      deadlineMs: z.number().int().min(1).exactOptional(),
      /** What to do if a dependency didn't complete. */
      onFailure: z.enum(['skip', 'run-anyway', 'fail']).exactOptional(),
    }),
  )
  .min(1, 'it has no jobs');

export type ListedJob = z.infer<typeof jobList>[number] & { readonly place: number };

/** `-` is standard input. Returns the jobs sorted so that each follows its dependencies. */
export async function readJobFile(file: string): Promise<readonly ListedJob[]> {
  const jobs = parseJobs(file, await contentOf(file));
  checkReferences(file, jobs);
  checkAgents(file, jobs);
  return inOrder(file, jobs);
}

async function contentOf(file: string): Promise<string> {
  try {
    return file === '-' ? await readAll(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw usageError(`can't read ${file}: ${(error as Error).message}`);
  }
}

function parseJobs(file: string, content: string): readonly ListedJob[] {
  let data: unknown;
  try {
    data = JSON.parse(content);
  } catch (error) {
    throw usageError(`${file} is not valid JSON: ${(error as Error).message}`);
  }
  const parsed = jobList.safeParse(data);
  if (parsed.success) return parsed.data.map((job, place) => ({ ...job, place }));
  const problems = parsed.error.issues.map(({ path, message }) => `${placeOf(path, data)}${message}`);
  throw usageError(`${file} isn't a list of jobs: ${problems.join('; ')}`);
}

function placeOf(path: readonly PropertyKey[], data: unknown): string {
  const [index, ...rest] = path;
  if (typeof index !== 'number') return '';
  const id: unknown = Array.isArray(data) ? (data[index] as { id?: unknown } | null)?.id : undefined;
  const which = typeof id === 'string' && id !== '' ? `job "${id}"` : `job ${index + 1}`;
  return `${[which, ...rest.map(String)].join(', ')}: `;
}

function checkReferences(file: string, jobs: readonly ListedJob[]): void {
  const names = new Set<string>();
  for (const { id } of jobs) {
    if (names.has(id)) throw usageError(`${file}: two jobs have the id "${id}"`);
    names.add(id);
  }
  for (const { id, after = [] } of jobs) {
    const unknown = after.find((other) => !names.has(other));
    if (unknown === undefined) continue;
    const near = nearestName(unknown, names);
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    throw usageError(`${file}: job "${id}" waits for "${unknown}", which isn't in the list${hint}`);
  }
}

/** A worker has one agent. */
function checkAgents(file: string, jobs: readonly ListedJob[]): void {
  const agents = new Map<string, ListedJob & { readonly agent: string }>();
  for (const job of jobs) {
    const { id, worker, agent } = job;
    if (worker === undefined || agent === undefined) continue;
    const first = agents.get(worker);
    if (first !== undefined && first.agent !== agent) {
      throw usageError(
        `${file}: worker "${worker}" needs one agent, but job "${first.id}" wants ${first.agent} and "${id}" wants ${agent}`,
      );
    }
    agents.set(worker, { ...job, agent });
  }
}

/** Among the jobs that are ready, the most urgent comes first, then file order. */
function inOrder(file: string, jobs: readonly ListedJob[]): readonly ListedJob[] {
  const byUrgency = jobs.toSorted((a, b) => rankOf(a) - rankOf(b));
  const placed = new Set<string>();
  const ordered: ListedJob[] = [];
  while (ordered.length < jobs.length) {
    const next = byUrgency.find(
      ({ id, after = [] }) => !placed.has(id) && after.every((other) => placed.has(other)),
    );
    if (next === undefined)
      throw usageError(`${file}: jobs wait for each other: ${cycleOf(jobs, placed).join(' → ')}`);
    placed.add(next.id);
    ordered.push(next);
  }
  return ordered;
}

function rankOf({ priority = 'normal' }: ListedJob): number {
  return priorities.indexOf(priority);
}

/** Every unplaced job depends on another unplaced one, so following them finds a cycle. */
function cycleOf(jobs: readonly ListedJob[], placed: ReadonlySet<string>): readonly string[] {
  const seen: string[] = [];
  let at = jobs.find(({ id }) => !placed.has(id))?.id;
  while (at !== undefined && !seen.includes(at)) {
    seen.push(at);
    const here = at;
    at = jobs.find(({ id }) => id === here)?.after?.find((other) => !placed.has(other));
  }
  return at === undefined ? seen : [...seen.slice(seen.indexOf(at)), at];
}
