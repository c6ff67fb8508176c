/** A session of the fixture agent, a real process that carries out its prompt, correctly or not. */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { afterEach } from 'vitest';

import type { AcpSettings } from '../../src/acp/client/agent-spec.ts';
import type { AgentOptions } from '../../src/assembly/agents/agent-source.ts';
import type { Limits } from '../../src/kernel/limits.ts';
import { optional } from '../../src/kernel/optional.ts';
import { parseRule, type Rule, type Verdict } from '../../src/kernel/rule.ts';
import { processesWith } from '../running-processes.ts';
import { createRondo, type Rondo, type RondoOptions, type Session } from '../../src/rondo.ts';

const fixture = fileURLToPath(new URL('../fixtures/acp-agent/main.ts', import.meta.url));
const closing: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

interface Scene {
  readonly flags?: readonly string[];
  readonly agent?: Partial<NonNullable<AgentOptions['command']>>;
  readonly settings?: Partial<AcpSettings>;
  readonly rules?: readonly Rule[];
  readonly limits?: Partial<Limits>;
  readonly mode?: string;
  readonly tools?: RondoOptions['tools'];
}

export async function open(scene: Scene = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), 'rondo-acp-'));
  const cwd = path.join(folder, 'work');
  await mkdir(cwd);
  closing.push(() => rm(folder, { recursive: true, force: true }));
  const start = async (): Promise<Rondo> => {
    const rondo = await createRondo({
      store: `sqlite:${path.join(folder, 'rondo.db')}`,
      agents: {
        fixture: {
          command: {
            command: process.execPath,
            args: [fixture, '--state', path.join(folder, 'state'), ...(scene.flags ?? [])],
            ...scene.agent,
          },
        },
      },
      ...optional({ acp: scene.settings, tools: scene.tools }),
    });
    closing.push(() => rondo.close());
    return rondo;
  };
  const rondo = await start();
  const session = await rondo.sessions.create({
    agent: 'fixture',
    cwd,
    ...optional({ rules: scene.rules, limits: scene.limits, mode: scene.mode }),
  });
  return { rondo, session, cwd, start };
}

export const rule = (verdict: Verdict, text: string): Rule => {
  const parsed = parseRule(text, verdict, 'user');
  if (parsed === undefined) throw new Error(`no rule: ${text}`);
  return parsed;
};

export async function eventsOf(session: Session) {
  return (await session.events({ after: 0, limit: 10_000 })).events.map(({ event }) => event);
}

export async function reportsOf(session: Session) {
  return (await eventsOf(session)).flatMap((event) => (event.type === 'agent-reported' ? [event.report] : []));
}

export async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 40_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`It never came about: ${what}`);
    await sleep(20);
  }
}

/** Processes that carry the session in their environment. */
export function processesOf({ id }: Session): Promise<readonly number[]> {
  return processesWith('RONDO_SESSION', id);
}

export async function questionOf(session: Session): Promise<string> {
  await until('a question is open', async () => (await session.status()).questions.length > 0);
  return (await session.status()).questions[0]?.id ?? '';
}
