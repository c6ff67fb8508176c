import path from 'node:path';

import { printable } from '../../views/printable.ts';
import { troubleNow } from '../../views/provider-trouble.ts';
import { optional } from '../../kernel/optional.ts';
import type { ModelEntry } from '../../ports/rondo-client.ts';
import { presetNames } from '../../views/rule-preset.ts';
import { itemsBetween } from '../../views/persistent-list.ts';
import { standingChanges } from '../../views/standing-changes.ts';
import { shortModel } from '../../wording/short-model.ts';
import type { ChatBackend } from '../chat/chat-backend.ts';
import type { Chat } from '../chat/chat.ts';
import type { ChatView } from '../chat/chat-view.ts';
import type { ProviderFacts } from '../lines/provider-card.ts';
import type { FooterFacts, FooterMode } from './footer.ts';

interface FooterPlace {
  readonly backend: ChatBackend | undefined;
  readonly cwd: string;
  /** The model of a session that names none. */
  readonly model: ModelEntry | undefined;
}

/** Undefined until the session is known. */
export function footerFacts(
  chat: Chat | undefined,
  { backend, cwd, model }: FooterPlace,
): FooterFacts | undefined {
  const status = chat?.view.status;
  if (chat === undefined || status === undefined) return undefined;
  const own = status.model ?? model?.id;
  const { context } = chat.view;
  // The first model call tells the window. Until then it is that of the listed model.
  const window = context?.window ?? (own === model?.id ? model?.window : undefined);
  return {
    mode: modeOf(chat),
    model: own === undefined || own === status.agent ? status.agent : shortModel(own),
    isModelFailing: isFailing(chat.view),
    context: context === undefined ? undefined : { tokens: context.tokens, ...optional({ window }) },
    usage: status.usage,
    costLimit: status.limits.cost,
    project: printable(path.basename(status.cwd || cwd)),
    branch: chat.branch,
    changes: changesOf(chat.view),
    server: backend?.server,
    isLost: chat.isLost,
  };
}

/** An interaction mode other than the usual one matters more than the preset. */
function modeOf({ view, preset }: Chat): FooterMode {
  const mode = view.status?.mode ?? 'interactive';
  if (mode !== 'interactive') return { name: mode, tone: 'plain' };
  const tone = preset === 'ask' ? 'plain' : preset === 'auto' ? 'auto' : 'accept';
  return { name: presetNames[preset], tone };
}

/** The provider is retried or waited for. */
function isFailing({ transcript, streams, status }: ChatView): boolean {
  const { writing } = transcript;
  const note = writing === undefined ? '' : (streams.get(writing.effect)?.status ?? '');
  return note !== '' || status?.lifecycle === 'pausing';
}

/** How much of the end is looked at: more than the attempts of one turn. */
const recent = 40;

/** Undefined unless the turn waits for its provider, as far as can be seen from here. */
export function providerFacts(chat: Chat | undefined, models: readonly ModelEntry[]): ProviderFacts | undefined {
  if (chat === undefined || chat.isLost || !chat.isWorking || chat.question !== undefined) return undefined;
  const { transcript, status } = chat.view;
  const { items } = transcript;
  const trouble = troubleNow(itemsBetween(items, Math.max(0, items.length - recent), items.length));
  if (trouble === undefined) return undefined;
  return {
    trouble,
    model: status?.model ?? models[0]?.id ?? 'The provider',
    others: otherModels(status?.model, models),
    queued: status?.queue.prompts.length ?? 0,
    mostAttempts: status?.limits.errorsInRow,
  };
}

/** Short names of models to switch to, those of other providers first: theirs isn't the one that fails. */
export function otherModels(current: string | undefined, models: readonly ModelEntry[]): readonly string[] {
  const own = models.find(({ id }) => id === (current ?? models[0]?.id));
  const others = models.filter(({ id, provider = '' }) => id !== own?.id && !testModels.has(provider));
  const isElsewhere = ({ provider }: ModelEntry) => provider !== own?.provider;
  return [...others.filter(isElsewhere), ...others.filter((model) => !isElsewhere(model))].map(({ id }) =>
    shortModel(id),
  );
}

/** They need no key, but nobody switches to them for an answer. */
const testModels = new Set(['offline', 'testing']);

const summed = new WeakMap<object, FooterFacts['changes']>();

/** Lines that the session's edits changed, counted once per state of the conversation. */
function changesOf({ transcript }: ChatView): FooterFacts['changes'] {
  const { items } = transcript;
  const known = summed.get(items);
  if (known !== undefined) return known;
  const total = standingChanges(itemsBetween(items, 0, items.length));
  summed.set(items, total);
  return total;
}
