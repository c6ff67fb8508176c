// Sends malformed input to every parser that faces the outside. Each has answers that it may give; anything else, a
// throw above all, is a crash. Markdown in the browser, and bash as the reference for the shell parser, are in
// test/browser/hostile-markdown.test.ts and in src/security/parse-command.fuzz.test.ts.
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import * as fc from 'fast-check';
import { afterAll, describe, expect, test, vi } from 'vitest';

import { createLineReader } from '../../src/acp/client/json-lines.ts';
import { createRpcPeer } from '../../src/acp/client/json-rpc.ts';
import { readUpdate } from '../../src/acp/client/read-update.ts';
import { readAgentFile } from '../../src/agents/agent-files.ts';
import { parseConfig } from '../../src/agents/config-file.ts';
import { commands, type CommandName } from '../../src/cli/command-table.ts';
import { numberFrom } from '../../src/cli/number-option.ts';
import { parseOptions } from '../../src/cli/option-table.ts';
import { sizeFrom, timeFrom } from '../../src/cli/span-option.ts';
import { usageProblemOf } from '../../src/cli/usage-error.ts';
import { checksumOf } from '../../src/journal/checksum.ts';
import { decodeRecord, encodeRecord } from '../../src/journal/codec.ts';
import type { CallId, SessionId } from '../../src/kernel/ids.ts';
import { modes } from '../../src/kernel/mode.ts';
import { judge } from '../../src/kernel/policy/permission.ts';
import { parseRule } from '../../src/kernel/rule.ts';
import { readClientMessage } from '../../src/protocol/client-message.ts';
import { builtInCommands } from '../../src/commands/built-in-commands.ts';
import { createCommandRegistry } from '../../src/commands/registry.ts';
import { createSystemClock } from '../../src/runtime/system-clock.ts';
import { openInside } from '../../src/security/paths/open-inside.ts';
import { isBelow } from '../../src/security/paths/is-below.ts';
import { resolveInside } from '../../src/security/paths/paths.ts';
import { shapes } from '../../src/terminal/glyphs.ts';
import { createMarkdown } from '../../src/terminal/screen/markdown.ts';
import { createPaint } from '../../src/terminal/theme.ts';
import { createToolWorkspace } from '../../src/testing/contracts/tool-contract.ts';
import { createMcpServers } from '../../src/tools/mcp/mcp-servers.ts';
import { mcpServersConfig } from '../../src/tools/mcp/server-config.ts';
import { shellFacts } from '../../src/tools/shell/shell-facts.ts';
import { atStart, splitMarkdown } from '../../web/src/markdown/markdown-pieces.ts';
import { ownerToken, startTestServer, until } from '../process/server-setup.ts';
import { openEditorSide, openTalkingRondo, routesOf, serveMcp, startServedFolder } from './bad-input-places.ts';
import { badBytes, badJson, bentValue, damagedText, hostileText, hostileTexts, samplesOf } from './bad-values.ts';
import { resealed } from './changed-bundle.ts';
import * as sound from './sound-inputs.ts';
import { createTriedInputs, patienceMs, type Crash } from './tried-inputs.ts';

vi.setConfig({ testTimeout: patienceMs });

const tried = createTriedInputs();
afterAll(() => void process.stdout.write(`${tried.report()}\n`));

const isError = (line: string) => line.startsWith('error');
const authorization = `Bearer ${ownerToken}`;

describe('what comes over the network', () => {
  test('[C84] a WebSocket message is a message or an error', async () => {
    const crash = await tried.crashOf(
      'WebSocket messages',
      badJson(sound.clientMessages('ses_1', ownerToken)),
      (text) => ['message', 'error'].includes(readClientMessage(text).type),
    );
    expect(crash).toBeUndefined();
  });

  test('[C84] [C85] a connection that is sent anything continues, or ends with a code that says why', async () => {
    const limit = 100_000;
    await using world = await startTestServer({
      server: { limits: { messagesPerSecond: 1_000_000, messageBytes: limit } },
    });
    const { id } = await world.rondo.sessions.create({ agent: 'testing' });
    const text = badJson(sound.clientMessages(id, ownerToken));
    const frame = fc.oneof(text, badBytes(text), fc.constant(Buffer.alloc(limit + 1, '[')));
    const endings = new Set([1002, 1003, 1007, 1008, 1009]);
    let socket = await world.connect();
    let pings = 0;
    const crash = await tried.crashOf('WebSocket connection', frame, async (sent) => {
      const { received, closed } = socket;
      pings += 1;
      const ping = `proof-${pings}`;
      socket.send(sent);
      socket.send({ v: 1, type: 'ping', id: ping });
      let code: number | undefined;
      void closed.then(([ending]) => (code = ending));
      await until(() => code !== undefined || received.some((message) => 'id' in message && message.id === ping));
      const isFault = received.some((message) => message.type === 'error' && message.code === 'INTERNAL');
      const isAnswered = !isFault && (code === undefined || endings.has(code));
      if (code !== undefined || received.length > 500) {
        socket.ws.terminate();
        socket = await world.connect();
      }
      return isAnswered;
    });
    expect([crash, world.logged.filter(isError)]).toEqual([undefined, []]);
  });

  test('[C84] every HTTP call answers a bad query, path or body with a problem of the caller', async () => {
    await using world = await startServedFolder();
    const routes = routesOf((await world.call('GET', '/api/v1/openapi.json')).body);
    expect(routes.length).toBeGreaterThan(40);
    let { id } = await world.rondo.sessions.create({ agent: 'testing' });
    let count = 0;
    const crashes: (Crash | undefined)[] = [];
    for (const { method, place, queries, schema } of routes) {
      const bodies = schema === undefined ? [{}] : samplesOf(schema, { session: id, parent: id });
      const request = fc.record({
        param: fc.option(hostileText),
        query: fc.array(fc.tuple(fc.constantFrom(...queries, 'other'), hostileText), { maxLength: 2 }),
        body: fc.oneof(fc.constantFrom(...bodies.map((value) => JSON.stringify(value))), badJson(bodies)),
        bytes: fc.option(fc.uint8Array({ maxLength: 30 }), { freq: 8 }),
        type: fc.constantFrom('application/json', 'application/json', 'application/json', 'text/plain'),
        key: fc.option(fc.constantFrom('k', 'x'.repeat(300)), { freq: 4 }),
      });
      crashes.push(
        await tried.crashOf(
          'HTTP calls',
          request,
          async ({ param, query, body, bytes, type, key }) => {
            count += 1;
            if (count % 25 === 0) ({ id } = await world.rondo.sessions.create({ agent: 'testing' }));
            const filled = place.replace(/\{\w+\}/g, () => escapedPart(param ?? id));
            const search = query.map(([name, value]) => `${name}=${escapedPart(value)}`).join('&');
            const answer = await fetch(`${world.server.url}/api/v1${filled}?${search}`, {
              method,
              headers: { authorization, 'content-type': type, ...(key !== null && { 'idempotency-key': key }) },
              ...(method !== 'GET' && { body: bytes === null ? body : Buffer.from(bytes) }),
            });
            await answer.text();
            // 501: a part of the API that this server was created without.
            return answer.status < 500 || answer.status === 501;
          },
          0.1,
        ),
      );
    }
    expect([crashes.filter((crash) => crash !== undefined), world.logged.filter(isError)]).toEqual([[], []]);
  });

  test('[C94] a stream resumed from any Last-Event-ID begins', async () => {
    await using world = await startServedFolder();
    const { id } = await world.rondo.sessions.create({ agent: 'testing' });
    const value = fc
      .oneof(hostileText, fc.double().map(String), fc.bigInt().map(String), fc.integer().map(String))
      .map((text) => text.replaceAll(/[^\x20-\x7e\x80-\xff]/g, '').slice(0, 2000));
    const crash = await tried.crashOf(
      'Last-Event-ID',
      value,
      async (from) => {
        const controller = new AbortController();
        const answer = await fetch(`${world.server.url}/api/v1/sessions/${id}/events`, {
          headers: { authorization, accept: 'text/event-stream', 'last-event-id': from },
          signal: controller.signal,
        });
        controller.abort();
        return answer.status === 200 && answer.headers.get('content-type') === 'text/event-stream; charset=utf-8';
      },
      0.5,
    );
    expect([crash, world.logged.filter(isError)]).toEqual([undefined, []]);
  });
});

describe('what agents and tool servers say', () => {
  test('an ACP line is a message, or is reported as invalid', async () => {
    const crash = await tried.crashOf('ACP lines', badBytes(badJson(sound.acpLines)), async (bytes) => {
      const peer = createRpcPeer(
        () => undefined,
        {
          request: async (_method, params) => ({ result: params }),
          notification: (_method, params) =>
            void readUpdate('agent', (params as { update?: unknown } | undefined)?.update),
          stray: () => undefined,
          heard: () => undefined,
        },
        { lineBytes: 50_000, requestsServed: 3 },
      );
      const asked = peer.request('initialize', {});
      peer.receive(bytes);
      peer.receive(Buffer.from('\n'));
      peer.close();
      return ['result', 'error', 'closed'].includes((await asked).type);
    });
    expect(crash).toBeUndefined();
  });

  test('[C89] whatever an editor sends, its next sound request is answered', async () => {
    await using editor = await openEditorSide();
    const silenced = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const crash = await tried.crashOf('ACP editor lines', badBytes(badJson(sound.editorLines)), (bytes) =>
      editor.survives(bytes),
    );
    silenced.mockRestore();
    expect(crash).toBeUndefined();
    expect(await editor.survives(Buffer.alloc(6_000_000, 'x'))).toBe(true);
  });

  test('an ACP update is read as far as it can be, into plain data', async () => {
    const crash = await tried.crashOf('ACP updates', bentValue(sound.acpUpdates), (value) => {
      const read = readUpdate('agent', throughJson(value));
      return read === undefined || typeof throughJson(read).type === 'string';
    });
    expect(crash).toBeUndefined();
  });

  test('bytes in any pieces are the same lines', async () => {
    const input = fc.tuple(badBytes(badJson(sound.acpLines)), fc.array(fc.nat(300), { maxLength: 6 }));
    const crash = await tried.crashOf('line reader', input, ([bytes, cuts]) => {
      const at = cuts.map((cut) => Math.min(cut, bytes.length)).toSorted((a, b) => a - b);
      const pieces = [0, ...at].map((from, index) => bytes.subarray(from, at[index] ?? bytes.length));
      return JSON.stringify(linesOf(pieces)) === JSON.stringify(linesOf([bytes]));
    });
    expect(crash).toBeUndefined();
  });

  test('C46: an MCP answer is a result or a failure, and plain data', async () => {
    let next: { readonly result?: unknown; readonly text?: string } = {};
    await using http = await serveMcp(() => next);
    const servers = createMcpServers({
      config: mcpServersConfig.parse({ proof: { url: http.url, timeout: 2000 } }),
      clock: createSystemClock(),
    });
    await using workspace = await createToolWorkspace();
    const { tools, problems } = await servers.open({ id: 'ses_proof', cwd: workspace.root }).tools();
    expect([tools.length, problems]).toEqual([1, []]);
    const answer = fc.oneof(
      { weight: 5, arbitrary: bentValue(sound.mcpResults).map((result) => ({ result })) },
      { weight: 1, arbitrary: badJson(sound.mcpResults).map((text) => ({ text })) },
    );
    const crash = await tried.crashOf(
      'MCP answers',
      answer,
      async (given) => {
        next = given;
        const result = await tools[0]?.run({}, workspace.run());
        return ['success', 'error'].includes(throughJson(result)?.type ?? '');
      },
      0.5,
    );
    await servers.close();
    expect(crash).toBeUndefined();
  });
});

describe('what lies in files', () => {
  test('[C115] a configuration is read, or refused with places', async () => {
    const read = (source: string) => parseConfig(source, 'rondo.json', { from: { KEY: 'k' } });
    expect(await read(JSON.stringify(sound.configuration))).toMatchObject({ type: 'read' });
    const written = JSON.stringify(sound.configuration, undefined, 2).replace('"store"', '// a comment\n"store"');
    const text = fc.oneof(badJson([sound.configuration]), damagedText([written]));
    const crash = await tried.crashOf('configuration', text, async (source) => {
      const config = await read(source);
      return config.type === 'read' || config.problems.length > 0;
    });
    expect(crash).toBeUndefined();
  });

  test("[C114] an agent's Markdown file is read, or refused with places", async () => {
    const read = (source: string) =>
      readAgentFile({ name: 'own', layer: 'project', file: 'own.md', read: async () => source }, 'left-alone');
    expect(await Promise.all(sound.agentFiles.map(async (file) => (await read(file)).type))).toEqual([
      'read',
      'read',
    ]);
    const pieces = [
      '*x',
      '&a',
      '!!js/function',
      '<<: *a',
      '? ',
      '{{',
      ': ',
      '- ',
      '\t',
      '%YAML 9.9\n',
      '---\n',
      '|\n',
    ];
    const torn = fc
      .tuple(fc.constantFrom(...sound.agentFiles), fc.nat(), fc.constantFrom(...pieces))
      .map(([file, place, piece]) => file.slice(0, place % file.length) + piece + file.slice(place % file.length));
    const text = fc.oneof(
      { weight: 8, arbitrary: damagedText(sound.agentFiles) },
      { weight: 8, arbitrary: torn },
      { weight: 1, arbitrary: fc.constantFrom(...sound.endlessAgentFiles) },
      { weight: 3, arbitrary: hostileText },
    );
    const crash = await tried.crashOf('agent files', text, async (source) => {
      const file = await read(source);
      return file.type === 'read' || file.problems.length > 0;
    });
    expect(crash).toBeUndefined();
  });

  test('a rule is read, or is none', async () => {
    const text = fc.oneof(damagedText(['shell(git status*)', 'read', 'mcp__a__*']), hostileText);
    const crash = await tried.crashOf('rules', text, (written) => {
      const rule = parseRule(written, 'allow', 'user');
      return rule === undefined || (rule.verdict === 'allow' && rule.tool !== '');
    });
    expect(crash).toBeUndefined();
  });

  test('[P10] a journal record is decoded, damaged, or of a newer Rondo, whatever its body is', async () => {
    const session = 'ses_1' as SessionId;
    const events = ['{"type":"custom","name":"a","data":{"b":1}}', '{"type":"session-titled","title":"t"}'];
    const { body } = encodeRecord(session, 1, { at: 5, by: { type: 'person', name: 'p' }, events });
    const bodies = fc.oneof(badJson([JSON.parse(body) as unknown]), damagedText([body]));
    const record = fc.tuple(bodies, fc.integer(), fc.boolean());
    const crash = await tried.crashOf('journal records', record, async ([text, sum, isSealed]) => {
      const checksum = isSealed ? checksumOf(session, 1, text) : sum;
      const decoded = await endingOf(async () =>
        decodeRecord({ session, first: 1, last: 2, body: text, checksum }),
      );
      return decoded === 'done' || decoded === 'unreadable';
    });
    expect(crash).toBeUndefined();
  });

  test('[C120] [P10] a bundle is imported or refused, and a refused one leaves nothing', async () => {
    await using here = await openTalkingRondo();
    const talked = await here.rondo.sessions.create({ agent: 'testing' });
    await talked.chat('call look {}\nsay seen');
    await talked.chat('call touch {"path":"a"}\nsay done');
    const { pieces } = await here.rondo.sessions.export(talked.id);
    const bundle = (await Array.fromAsync(pieces)).join('');
    const text = fc.oneof(damagedText([bundle]), { weight: 3, arbitrary: resealed(bundle) }, hostileText);
    const crash = await tried.crashOf(
      'bundles',
      text,
      async (given) => {
        await using there = await openTalkingRondo();
        const ending = await endingOf(() =>
          there.rondo.sessions.import(async function* () {
            yield given;
          }),
        );
        if (ending === 'done') return true;
        const left = await there.store.upkeep.sessions();
        return (ending === 'damaged' || ending === 'unreadable') && left.length === 0;
      },
      0.75,
    );
    expect(crash).toBeUndefined();
  });
});

describe('what people and models write', () => {
  test('[C43] [P8] a command line is taken apart, and no part runs unasked but those that a rule allows', async () => {
    await using workspace = await createToolWorkspace();
    const rules = [{ verdict: 'allow', tool: 'shell', pattern: 'git status*', origin: 'user' }] as const;
    const text = fc.oneof(damagedText(sound.shellCommands), hostileText);
    const crash = await tried.crashOf('shell commands', text, async (command) => {
      const facts = await shellFacts(command, { shell: 'bash' }, workspace.context());
      const call = { id: 'c1' as CallId, tool: 'shell', args: '', facts };
      const { verdict } = judge(call, { rules, grants: [], tools: 'all' }, modes.interactive);
      const parts = facts.segments ?? [];
      return (
        verdict !== 'allow' || parts.every((part) => part.opaque !== true && part.text.startsWith('git status'))
      );
    });
    expect(crash).toBeUndefined();
  });

  test('[C53] [P8] a path is inside by where it leads, or outside', async () => {
    const base = await realpath(await mkdtemp(path.join(os.tmpdir(), 'rondo-bad-paths-')));
    const root = path.join(base, 'root');
    await mkdir(path.join(root, 'src/deep'), { recursive: true });
    await writeFile(path.join(base, 'secret'), 'outside');
    await writeFile(path.join(root, 'src/a'), 'inside');
    await symlink('..', path.join(root, 'up'));
    await symlink('up/secret', path.join(root, 'src/link'));
    await symlink('/', path.join(root, 'src/top'));
    await symlink('loop', path.join(root, 'loop'));
    const names = ['..', '.', '', 'src', 'deep', 'a', 'up', 'link', 'top', 'root', 'loop', 'secret', 'etc'];
    const parts = fc.array(fc.constantFrom(...names, ...hostileTexts), { maxLength: 6 });
    const place = fc.tuple(fc.constantFrom('', '/', root, `${root}/../`), parts);
    const crash = await tried.crashOf('paths', place, async ([start, rest]) => {
      const requested = start + rest.join('/');
      const verdict = await resolveInside(requested, { roots: [root] });
      if (verdict.type === 'inside' && !isBelow(verdict.real, root)) return false;
      const opened = await openInside(requested, { roots: [root], access: 'read' });
      if (opened.type !== 'opened') return true;
      await opened.handle.close();
      return isBelow(await realpath(opened.real), root);
    });
    await rm(base, { recursive: true });
    expect(crash).toBeUndefined();
  });

  test('a slash command is a decision', async () => {
    const slash = createCommandRegistry(builtInCommands);
    const known = builtInCommands.map(({ name }) => `/${name} some words`);
    const decisions = new Set(['no-command', 'command', 'missing-argument', 'too-many-arguments', 'unknown']);
    const slashed = hostileText.map((words) => `/${words}`);
    const crash = await tried.crashOf(
      'slash commands',
      fc.oneof(damagedText(known), slashed, hostileText),
      (written) => decisions.has(slash.decide(written).type) && slash.help(written).length > 0,
    );
    expect(crash).toBeUndefined();
  });

  test('command-line words are accepted, or refused as a usage error', async () => {
    const names = Object.keys(commands) as readonly CommandName[];
    const tables = await Promise.all(names.map(async (name) => (await commands[name].load()).options));
    const flags = [...new Set(tables.flatMap((table) => Object.keys(table)))].map((flag) => `--${flag}`);
    const word = fc.oneof(
      fc.constantFrom(...flags, '-h', '-', '--', '--=', '--no-help'),
      damagedText(flags),
      fc.tuple(fc.constantFrom(...flags), hostileText).map(([flag, value]) => `${flag}=${value}`),
      hostileText,
    );
    const words = fc.tuple(fc.constantFrom(...tables), fc.array(word, { maxLength: 6 }));
    const crash = await tried.crashOf('command lines', words, ([table, argv]) => {
      const given = orUsage(() => parseOptions(table, argv, { most: 2 }));
      return given === undefined || given.words.length <= 2;
    });
    const amounts = fc.oneof(hostileText, damagedText(['30d', '10MB', '12.5h', '7']));
    const wrongAmount = await tried.crashOf('amounts', amounts, (text) =>
      [numberFrom, timeFrom, sizeFrom].every((read) => (orUsage(() => read('x', text)) ?? 0) >= 0),
    );
    expect([crash, wrongAmount]).toEqual([undefined, undefined]);
  });

  test('Markdown is drawn, whatever an agent says, and nothing of it is lost while it is written', async () => {
    const draw = createMarkdown(createPaint({}, { depth: 'none' }), shapes);
    const text = fc.oneof(damagedText(sound.markdownTexts), hostileText);
    const drawing = fc.tuple(text, fc.integer({ min: 1, max: 120 }));
    const crash = await tried.crashOf('Markdown in the terminal', drawing, ([source, width]) =>
      draw(source, width).every((line) => typeof line === 'string'),
    );
    const inked = (lines: string) => lines.replaceAll(/\s/g, '');
    const pieces = (source: string) => {
      const { settled, open } = splitMarkdown(source, atStart);
      return [...settled, ...(open === undefined ? [] : [open])].map((piece) => piece.text).join('');
    };
    const lost = await tried.crashOf(
      'Markdown while it is written',
      text,
      (source) => inked(pieces(source)) === inked(source),
    );
    expect([crash, lost]).toEqual([undefined, undefined]);
  });
});

/** A part of an address; characters that can't be written there become invalid UTF-8 bytes. */
function escapedPart(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '%ff%fe';
}

function linesOf(pieces: readonly Buffer[]): readonly string[] {
  const found: string[] = [];
  const reader = createLineReader(1000, {
    line: (text) => found.push(text),
    overlong: (size) => found.push(`overlong ${size}`),
  });
  for (const piece of pieces) reader.push(piece);
  return found;
}

function throughJson<Value>(value: Value): Value {
  const text = JSON.stringify(value) as string | undefined;
  return text === undefined ? value : (JSON.parse(text) as Value);
}

/** `done`, or the code of the fault; any other error is a crash. */
async function endingOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return 'done';
  } catch (error) {
    const { name, code } = error as { readonly name?: string; readonly code?: string };
    if (name !== 'Fault' || code === undefined) throw error;
    return code;
  }
}

function orUsage<Value>(read: () => Value): Value | undefined {
  try {
    return read();
  } catch (error) {
    if (usageProblemOf(error) !== 'words') throw error;
    return undefined;
  }
}
