import { expect, test } from 'vitest';
import { startHttpServer } from '../fixtures/mcp-http-server/start-http-server.ts';
import { createCliPlace } from './cli-process.ts';

test('[C31] an MCP server over HTTP: its tools pass the gate, its answers and errors come back, a wrong key is reported', async () => {
  await using server = await startHttpServer('right');
  await using place = await createCliPlace();
  await place.write('rondo.json', {
    mcpServers: {
      web: { url: server.url, headers: { 'x-key': 'right' } },
      old: { type: 'sse', url: new URL('/sse', server.url).href, headers: { 'x-key': 'right' } },
      shut: { url: server.url, headers: { 'x-key': 'wrong' } },
    },
  });
  const prompt =
    'call mcp__web__echo {"text":"hello"}\ncall mcp__web__fail {}\ncall mcp__old__echo {"text":"by SSE"}\nsay done';
  const words = ['run', '--agent', 'testing', '--trust-project'] as const;

  const asked = await place.rondo(...words, prompt);
  expect([asked.code, asked.err.includes('mcp__web__echo')]).toEqual([3, true]);

  const run = await place.rondo(...words, '--json', '--auto-approve', prompt);
  expect(run.code).toBe(0);
  expect(run.out).toContain('"output":"echo: hello"');
  expect(run.out).toContain('it went wrong');
  expect(run.out).toContain('"output":"echo: by SSE"');
  expect(run.err).toContain('shut');

  const refused = await place.rondo(...words, '--json', '--auto-approve', '--deny', 'mcp__web__*', prompt);
  expect(refused.out).toContain('"call-refused"');
  expect(refused.out).not.toContain('echo: hello');

  const untrusted = await place.rondo('run', '--json', '--agent', 'testing', '--auto-approve', prompt);
  expect(untrusted.out).not.toContain('echo: hello');
});

test('[S10] a misspelt deny withholds the server, a misspelt allow is a warning; both name the tool that was meant', async () => {
  await using server = await startHttpServer('right');
  await using place = await createCliPlace();
  await place.write('rondo.json', { mcpServers: { web: { url: server.url, headers: { 'x-key': 'right' } } } });
  const words = ['run', '--json', '--agent', 'testing', '--trust-project', '--auto-approve'] as const;
  const prompt = 'call mcp__web__echo {"text":"hello"}\nsay done';

  const denied = await place.rondo(...words, '--deny', 'mcp__web__ehco', prompt);
  expect(denied.err).toContain('Invalid rule "deny mcp__web__ehco"');
  expect(denied.err).toContain('did you mean "mcp__web__echo"?');
  expect(denied.out).not.toContain('echo: hello');

  const allowed = await place.rondo(...words, '--allow', 'mcp__web__ehco', prompt);
  expect(allowed.err).toContain('did you mean "mcp__web__echo"? The rule is ignored.');
  expect(allowed.out).toContain('echo: hello');
});
