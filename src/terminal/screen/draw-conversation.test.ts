import { expect, test } from 'vitest';

import type { BlobHash, EffectId, SessionId } from '../../kernel/ids.ts';
import { plainLook } from '../../testing/plain-look.ts';
import type { Item } from '../../views/transcript-item.ts';
import { newChatView, withText, type ChatView } from '../chat/chat-view.ts';
import type { Look } from '../lines/look.ts';
import { createConversationDrawer } from './draw-conversation.ts';

const effect = 'ses_1.99' as EffectId;
const long = { blob: 'b1' as BlobHash, length: 400_000, preview: 'The beginning' };

const message = (id: string, text: unknown): Item =>
  ({ id, type: 'message', text, outcome: { type: 'completed' } }) as unknown as Item;

function viewOf(count: number): ChatView {
  const items = [
    message('0', long),
    ...Array.from({ length: count }, (_, at) => message(`${at + 1}`, `Reply ${at}.`)),
  ];
  const view = newChatView('ses_1' as SessionId, items);
  return { ...view, transcript: { ...view.transcript, writing: { effect, since: 0, attempt: 1 } } };
}

function streaming(view: ChatView, text: string): ChatView {
  return {
    ...view,
    streams: new Map([[effect, { attempt: 1, text, reasoning: '', output: '', status: '' }]]),
  };
}

/** Counts the characters that Markdown is rendered from. */
function counted(): { readonly look: (view: ChatView) => Look; taken: () => number } {
  let characters = 0;
  const markdown = (text: string) => {
    characters += text.length;
    return text.split('\n');
  };
  return {
    look: (view) =>
      plainLook(80, {
        markdown,
        textOf: (body) => (typeof body === 'string' ? body : (view.texts.get(body.blob) ?? body.preview)),
      }),
    taken() {
      const count = characters;
      characters = 0;
      return count;
    },
  };
}

test('[C126] while text streams, a frame costs its last paragraph, however long the conversation is', () => {
  const paragraphs = Array.from({ length: 40 }, (_, at) => `Paragraph ${at} with some words in it.`);
  const costs = [10, 400].map((count) => {
    const { look, taken } = counted();
    const drawer = createConversationDrawer({ pace: 'at-once' });
    const view = viewOf(count);
    drawer.draw(view, look(view), 0);
    taken();
    let most = 0;
    for (let at = 1; at <= paragraphs.length; at += 1) {
      drawer.draw(streaming(view, paragraphs.slice(0, at).join('\n\n')), look(view), 0);
      most = Math.max(most, taken());
    }
    return most;
  });
  expect(costs[1]).toBe(costs[0]);
  expect(costs[1]).toBeLessThan(200);
});

test('[C126] a stored text that arrives draws only the block that shows it', () => {
  const { look, taken } = counted();
  const drawer = createConversationDrawer({ pace: 'at-once' });
  const view = viewOf(100);
  drawer.draw(view, look(view), 0);
  taken();
  const loaded = withText(withText(view, long.blob, 'All of the text'), 'b2' as BlobHash, 'Of no block');
  const { lines } = drawer.draw(loaded, look(loaded), 0);
  expect(lines[0]).toBe('  All of the text');
  expect(taken()).toBe('All of the text'.length);
});

test('[C126] a typed command, a request and an ending say what the call and the turn know', async () => {
  const facts = {
    segments: [
      { text: 'rm -rf dist/old', effect: 'delete' },
      { text: 'tee clean.log', effect: 'edit' },
    ],
  };
  const call = (id: string, command: string, given: object = {}) =>
    ({
      id,
      type: 'call',
      call: 'call_1',
      tool: 'shell',
      args: JSON.stringify({ command }),
      facts,
      state: { type: 'succeeded', output: 'hi\nls', at: 0, durationMs: 200 },
      ...given,
    }) as unknown as Item;
  const me = { type: 'person', name: 'terminal' };
  const view = newChatView(
    'ses_1' as SessionId,
    [
      {
        id: '1',
        type: 'prompt',
        by: me,
        taken: 'turn-started',
        asked: { type: 'task', tools: ['shell'] },
        receivedAt: 0,
        at: 0,
      },
      call('1.1', 'echo hi; ls'),
      { id: '2', type: 'ending', by: me, durationMs: 200, ending: { type: 'completed' }, at: 0 },
      {
        id: '3',
        type: 'prompt',
        by: me,
        taken: 'turn-started',
        asked: { type: 'chat', text: 'Clear out' },
        receivedAt: 0,
        at: 0,
      },
      call('4', 'rm -rf dist/old | tee clean.log'),
      {
        id: '5',
        type: 'question',
        question: 'q',
        about: {
          type: 'approval',
          call: 'call_1',
          tool: 'shell',
          rule: 'default',
          reason: '',
          grants: [],
          unit: 'rm -rf dist/old',
        },
        state: { type: 'answered', by: me, at: 0, answer: { type: 'allow-once' } },
        at: 0,
      },
      { id: '6', type: 'ending', by: me, durationMs: 124_000, ending: { type: 'completed' }, at: 0 },
    ] as unknown as Item[],
  );
  const drawer = createConversationDrawer({ pace: 'at-once' });
  const text = drawer.draw({ ...view, costs: new Map([['6', 0.31]]) }, plainLook(100), 0).lines.join('\n');
  expect(text).toContain('❯ !echo hi; ls');
  expect(text).toContain('Added to context, 2 lines');
  expect(text).toContain('Allowed once: deletes dist/old, writes clean.log');
  expect(text).toContain('✓ Finished · 0.2s\n');
  expect(text).toContain('✓ Finished · 2m 4s · $0.31');
});

test('[C126] a question to the user and its answer are one line, in the words of the question', () => {
  const me = { type: 'person', name: 'terminal' };
  const about = { type: 'clarification', text: 'Which files?', options: ['a.ts'], call: 'call_1' };
  const items = [
    {
      id: '1',
      type: 'call',
      call: 'call_1',
      tool: 'ask_user',
      args: '{"question":"Which files?"}',
      state: { type: 'succeeded', output: 'a.ts', at: 0 },
      at: 0,
    },
    {
      id: '2',
      type: 'question',
      question: 'q',
      about,
      state: { type: 'answered', by: me, at: 0, answer: { type: 'option', option: 'a.ts' } },
      at: 0,
    },
  ] as unknown as Item[];
  const drawer = createConversationDrawer({ pace: 'at-once' });
  const { lines } = drawer.draw(newChatView('ses_1' as SessionId, items), plainLook(100), 0);
  expect(lines).toEqual(['✓ Chose “a.ts”: Which files?']);
});

test('[C126] a failure wraps its first lines, and a stopped command keeps what it wrote last', () => {
  const call = (id: string, state: object) =>
    ({ id, type: 'call', call: id, tool: 'shell', args: '{"command":"npx tsc"}', facts: {}, state }) as never;
  const error = "src/cart/discount.ts(32,10): error TS2304: Cannot find name 'roundCents'.";
  const items: readonly Item[] = [
    call('1', {
      type: 'succeeded',
      output: `10%\r100%\n<stderr>\n\u001B[31m${error}\u001B[0m\none more\n</stderr>\n[Exit code 2]`,
      data: { exitCode: 2 },
      at: 0,
      durationMs: 2800,
    }),
    call('2', { type: 'cancelled', output: 'one\ntwo\nthree\nfour\nfive', at: 0, durationMs: 1000 }),
    call('3', { type: 'cancelled', at: 0, durationMs: 1000 }),
  ];
  const drawer = createConversationDrawer({ pace: 'at-once' });
  const { lines } = drawer.draw(newChatView('ses_1' as SessionId, items), plainLook(60), 0);
  expect(lines).toEqual([
    '✗ Ran npx tsc   exit 2                                2.8s',
    '    src/cart/discount.ts(32,10): error TS2304: Cannot find',
    "    name 'roundCents'.",
    '    2 more lines   Ctrl+O',
    '■ Ran npx tsc   stopped                               1.0s',
    '    2 earlier lines   Ctrl+O',
    '    three',
    '    four',
    '    five',
    '■ Ran npx tsc   stopped                               1.0s',
  ]);
});
