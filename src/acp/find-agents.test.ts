import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { expect, test } from 'vitest';

import { findAgent, findAgents, waysToGet } from './find-agents.ts';
import { knownAgents } from './known-agents.ts';

test('[C89] known agents are found on PATH, and only those that can be run', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rondo-agents-'));
  await writeFile(path.join(folder, 'gemini'), '#!/bin/sh\n');
  await chmod(path.join(folder, 'gemini'), 0o755);
  await writeFile(path.join(folder, 'qwen'), 'no program');
  const env = { PATH: `relative:${folder}` };

  const list = await findAgents(env);
  const spec = await findAgent('gemini', env);
  const others = await Promise.all([findAgent('qwen', env), findAgent('nobody', env)]);

  expect(list.filter(({ file }) => file !== undefined).map(({ agent }) => agent.name)).toEqual(['gemini']);
  expect(list.length).toBe(knownAgents.length);
  expect(spec).toMatchObject({ name: 'gemini', command: path.join(folder, 'gemini'), args: ['--acp'], env: {} });
  expect(others).toEqual([undefined, undefined]);
  await rm(folder, { recursive: true });
});

test('[C89] a known agent that is missing comes with ways to get it', () => {
  expect([waysToGet('claude'), waysToGet('goose'), waysToGet('nobody')]).toEqual([
    'To get Claude Code: npm install -g @agentclientprotocol/claude-agent-acp, or find it with `rondo agents search claude` (docs/guides/host-an-agent.md).',
    'To get Goose: see block.github.io/goose, or find it with `rondo agents search goose` (docs/guides/host-an-agent.md).',
    undefined,
  ]);
});
