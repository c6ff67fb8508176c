/** Contract of the Model port. */
import { describe, expect, it } from 'vitest';

import type { Model } from '../../ports/model.ts';
import { modelRequest, recordingSink } from '../model-samples.ts';

/** A model, and methods that control its next call. */
export interface ModelUnderTest extends AsyncDisposable {
  readonly model: Model;
  says(
    deltas: readonly string[],
    calls?: readonly { readonly tool: string; readonly args: Readonly<Record<string, unknown>> }[],
  ): void;
  /** Sends these deltas, then hangs. */
  hangsAfter(deltas: readonly string[]): void;
  /** Fails for a reason that a retry can't fix. */
  fails(): void;
}

/** Contract of every model. */
export function modelContract(name: string, open: () => Promise<ModelUnderTest>): void {
  const tools = [
    {
      name: 'look',
      description: 'Looks at a path.',
      parameters: { type: 'object', properties: { path: { type: 'string' } } },
    },
  ];

  describe(`model contract: ${name}`, () => {
    it('streams deltas in order, before one settlement whose text they are [C19]', async () => {
      await using under = await open();
      under.says(['One ', 'two ', 'three']);
      const sink = recordingSink();
      const result = await under.model.call(modelRequest(), sink, new AbortController().signal);
      const heard = [...sink.heard];
      expect(result).toMatchObject({ type: 'completed', text: 'One two three', calls: [], stop: 'end' });
      expect(sink.reply).toBe('One two three');
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(sink.heard).toEqual(heard);
    });

    it('gives tool calls with their arguments as JSON', async () => {
      await using under = await open();
      under.says(
        [],
        [
          { tool: 'look', args: { path: 'a.txt' } },
          { tool: 'look', args: {} },
        ],
      );
      const result = await under.model.call(
        modelRequest({ tools }),
        recordingSink(),
        new AbortController().signal,
      );
      expect(result).toMatchObject({ type: 'completed', text: '', stop: 'calls' });
      const calls = result.type === 'completed' ? result.calls : [];
      expect(calls.map(({ tool, args }) => ({ tool, args: JSON.parse(args) as unknown }))).toEqual([
        { tool: 'look', args: { path: 'a.txt' } },
        { tool: 'look', args: {} },
      ]);
      expect(new Set(calls.map(({ id }) => id)).size).toBe(2);
    });

    it('settles as cancelled soon after the abort, and sends no further delta [C19]', async () => {
      await using under = await open();
      under.hangsAfter(['One ', 'two ']);
      const abort = new AbortController();
      const sink = recordingSink();
      const settled = under.model.call(modelRequest(), sink, abort.signal);
      await expect.poll(() => sink.reply).toBe('One two ');
      abort.abort();
      const began = performance.now();
      expect((await settled).type).toBe('cancelled');
      expect(performance.now() - began).toBeLessThan(500);
      expect(sink.reply).toBe('One two ');
    });

    it('is cancelled before it begins where the signal already is', async () => {
      await using under = await open();
      const sink = recordingSink();
      expect((await under.model.call(modelRequest(), sink, AbortSignal.abort())).type).toBe('cancelled');
      expect(sink.heard).toEqual([]);
    });

    it('settles as failed, with a code and a message, instead of rejecting', async () => {
      await using under = await open();
      under.fails();
      const result = await under.model.call(modelRequest(), recordingSink(), new AbortController().signal);
      expect(result).toMatchObject({ type: 'failed', retryable: false, code: expect.stringMatching(/^model-/) });
    });

    it('keeps nothing between calls and leaves the request as it was', async () => {
      await using under = await open();
      const request = modelRequest({ tools });
      const before = structuredClone({ ...request, read: undefined });
      under.says(['first']);
      under.says(['second']);
      const results = [
        await under.model.call(request, recordingSink(), new AbortController().signal),
        await under.model.call(request, recordingSink(), new AbortController().signal),
      ];
      expect(results.map((result) => (result.type === 'completed' ? result.text : result))).toEqual([
        'first',
        'second',
      ]);
      expect({ ...request, read: undefined }).toEqual(before);
    });
  });
}
