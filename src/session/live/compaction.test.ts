import { describe, expect, test } from 'vitest';

import { createMemoryStore } from '../../journal/memory-store.ts';
import type { Rondo } from '../../rondo.ts';
import type { Model } from '../../ports/model.ts';
import { rondoOfTest } from '../../testing/rondo-of-test.ts';
import { testTool } from '../../testing/test-tool.ts';
import { watchedModel } from '../../testing/watched-model.ts';

function rondoOn(model: Model, store = createMemoryStore()): Promise<Rondo> {
  return rondoOfTest({
    store,
    agents: { a: { prompt: 'Be brief.' } },
    models: { m: model },
    tools: [
      testTool('look', (args) => 'x'.repeat((args as { size?: number }).size ?? 10)),
      testTool('write', () => 'written'),
      testTool('notes', () => 'Noted.'),
    ],
    approve: 'all',
  });
}

describe('a conversation that is summarized', () => {
  test('[C116][P10] begins with the summary; the newest turn stays as it was, and all of it stays readable', async () => {
    const { model, requests } = watchedModel();
    const session = await (await rondoOn(model)).sessions.create();
    await session.chat('say one');
    await session.chat('say two');
    expect(await session.compact({ keep: 'the numbers' })).toMatchObject({ outcome: 'completed' });
    await session.chat('say three');

    expect(requests.at(-1)?.messages).toEqual([
      {
        role: 'notice',
        text:
          'The conversation before this was summarized to make room. The summary:\n\n' +
          '- The user asked: say one\n - said: one\nKept: the numbers'.replace('\n - ', '\n  - '),
      },
      { role: 'user', text: 'say two' },
      { role: 'assistant', text: 'two', calls: [] },
      { role: 'user', text: 'say three' },
    ]);
    const { items } = await session.transcript();
    expect(items.flatMap((item) => (item.type === 'message' ? [item.text] : []))).toEqual(['one', 'two', 'three']);
    expect(items.map(({ type }) => type)).toContain('notice');
  });

  test('[C118][V14] keeps constraints, open notes and changed files word for word, and carries them on', async () => {
    const { model, requests } = watchedModel();
    const session = await (await rondoOn(model)).sessions.create();
    const bound = 'Never touch the vendor folder.';
    await session.chat(`${bound}\nIt is a fine day.`);
    await session.chat(
      'call notes {"action":"add","text":"port the parser"}\ncall write {"path":"src/a.ts"}\nsay ok',
    );
    await session.chat('say filler');
    await session.compact();
    await session.chat('call write {"path":"src/b.ts"}\nsay more');
    await session.chat('say filler');
    await session.compact();
    await session.chat('say last');

    const [first] = requests.at(-1)?.messages ?? [];
    const text = typeof first?.text === 'string' ? first.text : '';
    expect(text.slice(text.indexOf('What the user asked'))).toBe(
      `What the user asked to be heeded, word for word:\n- ${bound}\n\n` +
        'Still open, word for word:\n- port the parser\n\n' +
        'Files changed so far:\n- src/a.ts\n- src/b.ts',
    );
  });

  test('[P7] costs what the model used for the summary', async () => {
    const { model } = watchedModel();
    const used = { inputTokens: 70, outputTokens: 7 };
    const counting: Model = {
      ...model,
      call: async (request, sink, signal) => ({ ...(await model.call(request, sink, signal)), usage: used }),
    };
    const session = await (await rondoOn(counting)).sessions.create();
    await session.chat('say one');
    await session.chat('say two');
    await session.compact();
    const { usage } = await session.status();
    expect(usage).toMatchObject({ inputTokens: 3 * used.inputTokens, outputTokens: 3 * used.outputTokens });
  });

  test('[C117][V8] is summarized once: a second request finds nothing to do and calls no model', async () => {
    const { model, requests } = watchedModel();
    const session = await (await rondoOn(model)).sessions.create();
    await session.chat('say one');
    await session.compact();
    const calls = requests.length;
    expect(await session.compact()).toMatchObject({ outcome: 'completed' });
    expect(requests.length).toBe(calls);
    const { items } = await session.transcript();
    expect(items.flatMap((item) => (item.type === 'notice' ? [item.about] : []))).toMatchObject([
      { type: 'compacted', outcome: 'completed' },
      { type: 'compacted', outcome: 'unneeded' },
    ]);
  });

  test('[C117][V6] stays as it is if the summary fails, with a message', async () => {
    const { model, requests } = watchedModel();
    const session = await (await rondoOn(model)).sessions.create();
    await session.chat('say one');
    expect(await session.compact({ keep: 'fail no power' })).toMatchObject({
      outcome: 'failed',
      reason: "Can't summarize the conversation: no power",
    });
    await session.chat('say two');
    expect(requests.at(-1)?.messages[0]).toEqual({ role: 'user', text: 'say one' });
  });
});

describe('a context that fills up', () => {
  const fill = (size: number) => `call look {"size":${size}}\nsay looked`;

  test('[C117][V4] is summarized automatically, and the work continues with the request', async () => {
    const { model, requests } = watchedModel(600);
    const session = await (await rondoOn(model)).sessions.create();
    for (let turn = 0; turn < 8; turn += 1) await session.chat(fill(400));

    expect(requests.filter(({ purpose }) => purpose === 'summary').length).toBeGreaterThan(0);
    for (const { messages } of requests) {
      const tokens = messages.reduce((sum, { text }) => sum + text.length / 4, 0);
      expect(tokens).toBeLessThan(900);
    }
    expect(requests.at(-1)?.messages.findLast(({ role }) => role === 'user')?.text).toBe(fill(400));
    expect(await session.result()).toMatchObject({ outcome: 'completed', text: 'looked' });
  });

  test('[C117][P10] an endless conversation is summarized now and then, not at every turn', async () => {
    const { model, requests } = watchedModel(2000);
    const session = await (await rondoOn(model)).sessions.create();
    for (let turn = 0; turn < 400; turn += 1) await session.chat(`say some words for turn ${turn}`);

    const summaries = requests.filter(({ purpose }) => purpose === 'summary').length;
    expect(summaries).toBeGreaterThan(1);
    expect(summaries).toBeLessThan(40);
  });

  test('[C117][V4] a summary that is longer than its limit is cut, so that it cannot fill the window', async () => {
    const { model, requests } = watchedModel(600);
    const talkative: Model = {
      ...model,
      async call(request, sink, signal) {
        const result = await model.call(request, sink, signal);
        if (request.purpose !== 'summary' || result.type !== 'completed') return result;
        return { ...result, text: 'blah '.repeat(5000) };
      },
    };
    const session = await (await rondoOn(talkative)).sessions.create();
    for (let turn = 0; turn < 8; turn += 1) await session.chat(fill(400));

    expect(requests.at(-1)?.messages[0]?.text.length).toBeLessThan(800);
  });

  test('[C117][V5] by one huge turn is cut at a step, and its prompt is reported again word for word', async () => {
    const { model, requests } = watchedModel(600);
    let steps = 0;
    const busy: Model = {
      ...model,
      async call(request, sink, signal) {
        const result = await model.call(request, sink, signal);
        if (request.purpose === 'summary' || result.type !== 'completed') return result;
        steps += 1;
        const calls = steps < 10 ? [{ id: `c${steps}`, tool: 'look', args: '{"size":400}' }] : [];
        return { ...result, calls, stop: calls.length > 0 ? 'calls' : 'end' };
      },
    };
    const session = await (await rondoOn(busy)).sessions.create();
    const prompt = 'Look at all of it, however long it takes.';
    expect(await session.chat(prompt)).toMatchObject({ outcome: 'completed', steps: 10 });

    const last = requests.at(-1)?.messages ?? [];
    expect(last[0]).toMatchObject({ role: 'notice' });
    expect(last.filter(({ role }) => role === 'user')).toEqual([{ role: 'user', text: prompt }]);
    expect(last.length).toBeLessThan(10);
  });

  test('[C117][V6] without a summary keeps the newest and tells the model', async () => {
    const { model, requests } = watchedModel(600);
    const failing: Model = {
      ...model,
      call: (request, sink, signal) =>
        request.purpose === 'summary'
          ? Promise.resolve({ type: 'failed', code: 'model-unavailable', message: 'no power', retryable: true })
          : model.call(request, sink, signal),
    };
    const session = await (await rondoOn(failing)).sessions.create();
    for (let turn = 0; turn < 8; turn += 1) await session.chat(fill(400));

    expect(requests.at(-1)?.messages[0]).toEqual({
      role: 'notice',
      text: 'The conversation before this was left out to make room, and summarizing it failed (no power). Ask where you miss something.',
    });
    const { items } = await session.transcript();
    expect(items.flatMap((item) => (item.type === 'notice' ? [item.about] : []))).toContainEqual({
      type: 'compacted',
      outcome: 'left-out',
      message: 'no power',
    });
  });
});

describe('what the model sees', () => {
  test('[C118][P10][V13] between turns no byte of the prefix changes', async () => {
    const { model, requests } = watchedModel();
    const session = await (await rondoOn(model)).sessions.create();
    for (let turn = 0; turn < 10; turn += 1) {
      await session.chat(turn % 2 === 0 ? `call look {"size":${turn * 3000}}\nsay looked` : 'say so');
    }
    let changed = 0;
    for (const [index, next] of requests.entries()) {
      const before = requests[index - 1];
      if (before === undefined) continue;
      const prefix = JSON.stringify([before.system, before.tools, before.messages]).slice(0, -2);
      const now = JSON.stringify([next.system, next.tools, next.messages]);
      for (let at = 0; at < prefix.length; at += 1) if (prefix[at] !== now[at]) changed += 1;
    }
    expect(requests.length).toBe(15);
    expect(changed).toBe(0);
  });

  test('[C118][P10][V13] is the same after a restart, also behind a compaction', async () => {
    const store = createMemoryStore();
    const alive = watchedModel(600);
    const rondo = await rondoOn(alive.model, store);
    const session = await rondo.sessions.create();
    for (let turn = 0; turn < 6; turn += 1) await session.chat(`call look {"size":400}\nsay looked ${turn}`);
    await session.chat('say one');
    const before = alive.requests.at(-1)?.messages ?? [];
    store.crash();

    const later = watchedModel(600);
    const again = await rondoOn(later.model, store.another());
    await (await again.sessions.open(session.id)).chat('say two');
    expect(later.requests.at(-1)?.messages).toEqual([
      ...before,
      { role: 'assistant', text: 'one', calls: [] },
      { role: 'user', text: 'say two' },
    ]);
    expect(before[0]).toMatchObject({ role: 'notice' });
  });
});
