import type { SessionUpdate } from '@agentclientprotocol/sdk';

import { seqOfEffect, type EffectId } from '../../kernel/ids.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import type { Transcript } from '../../views/transcript.ts';
import type { ShownTerminals } from './shown-terminals.ts';
import { toolCallIdOf } from './tool-call-content.ts';

/**
 * Output of a running call. A terminal gets every piece. Otherwise each update replaces the previous one, so only the
 * newest part is sent, at a readable rate. The end of the call delivers the full output.
 */
export function createRunningOutput(
  tell: (update: SessionUpdate) => Promise<void>,
  terminals: Pick<ShownTerminals, 'output'>,
  now: () => number = () => performance.now(),
) {
  const running = new Map<EffectId, { readonly text: string; readonly toldAt: number }>();
  return {
    async heard(effect: EffectId, piece: string, { items }: Transcript): Promise<void> {
      const call = itemsBetween(items, Math.max(0, items.length - 500), items.length).findLast(
        (item) => item.type === 'call' && item.run?.seq === seqOfEffect(effect),
      );
      if (call?.type !== 'call' || call.state.type !== 'running') return;
      const drawn = terminals.output(call, piece);
      if (drawn !== undefined) return await tell(drawn);
      const { text: before = '', toldAt = -Infinity } = running.get(effect) ?? {};
      const text = (before + piece).slice(-KEPT);
      const isDue = now() - toldAt >= EVERY_MS;
      running.set(effect, { text, toldAt: isDue ? now() : toldAt });
      if (!isDue) return;
      await tell({
        sessionUpdate: 'tool_call_update',
        toolCallId: toolCallIdOf(call),
        content: [{ type: 'content', content: { type: 'text', text } }],
      });
    },
  };
}

const KEPT = 10_000;
const EVERY_MS = 200;
