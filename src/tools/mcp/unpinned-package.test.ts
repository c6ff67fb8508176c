import { expect, test } from 'vitest';

import { unpinnedPackage } from './unpinned-package.ts';

const warnings = (command: string, ...args: readonly string[]) =>
  unpinnedPackage('s', { command, args: [...args] });

test('[S15] a package that is fetched in whatever version is newest gets a warning that names a version', () => {
  expect(
    [
      warnings('npx', '-y', 'tickets-mcp'),
      warnings('/usr/bin/npx', '@acme/tickets'),
      warnings('npx', '-y', 'tickets-mcp@latest'),
      warnings('npx', '-y', 'tickets-mcp@^1.2.0'),
      warnings('npx', '--package=@acme/tickets', 'serve'),
      warnings('npx', '-p', 'tickets-mcp', 'serve'),
      warnings('npx.cmd', 'tickets-mcp'),
      warnings('npm', 'exec', '--', 'tickets-mcp'),
      warnings('pnpm', 'dlx', 'tickets-mcp'),
      warnings('bun', 'x', 'tickets-mcp'),
      warnings('uvx', '--from', 'tickets', 'serve'),
      warnings('uvx', 'tickets>=1.0'),
      warnings('pipx', 'run', 'tickets'),
      warnings('deno', 'run', 'npm:tickets-mcp'),
    ].map(([warning]) => /runs the newest version of (.*). Pin a version: (.*)$/.exec(warning ?? '')?.slice(1)),
  ).toEqual([
    ['tickets-mcp', 'tickets-mcp@VERSION'],
    ['@acme/tickets', '@acme/tickets@VERSION'],
    ['tickets-mcp@latest', 'tickets-mcp@VERSION'],
    ['tickets-mcp@^1.2.0', 'tickets-mcp@VERSION'],
    ['@acme/tickets', '@acme/tickets@VERSION'],
    ['tickets-mcp', 'tickets-mcp@VERSION'],
    ['tickets-mcp', 'tickets-mcp@VERSION'],
    ['tickets-mcp', 'tickets-mcp@VERSION'],
    ['tickets-mcp', 'tickets-mcp@VERSION'],
    ['tickets-mcp', 'tickets-mcp@VERSION'],
    ['tickets', 'tickets==VERSION'],
    ['tickets>=1.0', 'tickets==VERSION'],
    ['tickets', 'tickets==VERSION'],
    ['npm:tickets-mcp', 'npm:tickets-mcp@VERSION'],
  ]);
});

test('[S15] an exact version, a local file and another program get none', () => {
  expect([
    ...warnings('npx', '-y', 'tickets-mcp@1.2.3'),
    ...warnings('npx', '@acme/tickets@2.0.0-beta.1'),
    ...warnings('npx', '-p', 'tickets-mcp@1.2.3', 'serve'),
    ...warnings('npx', './servers/tickets'),
    ...warnings('npm', 'run', 'serve'),
    ...warnings('uvx', 'tickets==1.0'),
    ...warnings('uvx', 'tickets@1.0.1'),
    ...warnings('deno', 'run', 'server.ts'),
    ...warnings('node', 'server.js'),
    ...unpinnedPackage('s', { url: 'https://tickets.example/mcp' }),
  ]).toEqual([]);
});
