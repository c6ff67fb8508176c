import { newConversation } from '../kernel/conversation/conversation.ts';
import { effectIdOf } from '../kernel/ids.ts';
import type { InputBody } from '../kernel/input.ts';
import type { EffectHost } from '../ports/effect-host.ts';
import { createRuntimeContext } from '../runtime/runtime-context.ts';
import type { Effort } from '../runtime/start-effect.ts';
import { given, testSession } from './given.ts';
import { chat, created } from './inputs.ts';

/** One effect of a session, its fourth event, with what it delivered and reported. */
export function testEffort(more: Partial<EffectHost> = {}) {
  const delivered: InputBody[] = [];
  const reported: string[] = [];
  let leftOpen = 0;
  const host: EffectHost = {
    session: testSession,
    epoch: 7,
    state: given(created(), chat('hi')).state,
    messages: async () => [{ role: 'user', text: 'hi' }],
    agentPrompt: async () => ({ before: [], unsent: [] }),
    conversation: async () => newConversation(testSession),
    bootTime: () => ({ boot: 'boot-1', uptime: 0 }),
    deliver: (input) => void delivered.push(input),
    progress: ({ kind, text }) => void reported.push(`${kind}: ${text}`),
    read: async ({ blob }) => `content of ${blob}`,
    leftOpen: () => void (leftOpen += 1),
    ...more,
  };
  const effect = effectIdOf(testSession, 4);
  const context = createRuntimeContext({
    trace: effect,
    session: testSession,
    epoch: 7,
    agent: 'tester',
    cwd: '/work',
    roots: ['/work'],
  });
  const effort: Effort = { effect, attempt: 1, host, context };
  return { effort, delivered, reported, leftOpen: () => leftOpen };
}
