import type { Blobs } from '../../ports/blobs.ts';
import type { Journal } from '../../ports/journal.ts';
import type { Claim } from '../../ports/lease.ts';
import { system } from '../../kernel/actor.ts';
import type { State } from '../../kernel/state.ts';
import type { BootTime } from '../../kernel/time.ts';
import { announceProgress, type Audience } from './audience.ts';
import { loadConversation } from './context-messages.ts';
import type { EffectHost } from '../../ports/effect-host.ts';

interface EffectContextParts {
  readonly claim: Claim;
  readonly state: State;
  readonly store: { readonly journal: Journal; readonly blobs: Blobs };
  readonly audience: Audience;
  readonly isOver: () => boolean;
  readonly deliver: (...args: Required<Parameters<EffectHost['deliver']>>) => void;
  readonly leftOpen: () => void;
  readonly bootTime: () => BootTime;
}

/** A live session as its effects see it. The session keeps `state` up to date. */
export function createEffectContext({
  claim,
  state,
  store,
  audience,
  isOver,
  deliver,
  leftOpen,
  bootTime,
}: EffectContextParts): EffectHost & { state: State } {
  const conversation = () => loadConversation(audience.messages, { store, of: context });
  // Plain properties kept up to date: an object with accessors is slow and large, and there are many.
  const context: EffectHost & { state: State } = {
    session: claim.session,
    epoch: claim.epoch,
    state,
    messages: () => audience.messages.conversation?.messages ?? conversation().then(({ messages }) => messages),
    conversation,
    async agentPrompt() {
      const { messages, agentPrompt } = await conversation();
      return {
        before: messages.slice(0, agentPrompt.from),
        unsent: messages.slice(agentPrompt.from, agentPrompt.to),
      };
    },
    deliver: (body, by = system) => deliver(body, by),
    leftOpen,
    bootTime,
    progress(progress) {
      if (!isOver()) announceProgress(audience, progress);
    },
    async read(ref) {
      const content = await store.blobs.get(ref.blob);
      return content ?? `${ref.preview}\n[the rest of this content is missing from the store]`;
    },
  };
  return context;
}
