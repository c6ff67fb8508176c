/** The card of a failed turn or of a provider that doesn't answer: its facts, its choices and its keys. */
import { itemsBetween } from '../../views/persistent-list.ts';
import type { EndingItem, Item } from '../../views/transcript-item.ts';
import { dollarsText } from '../../wording/cost.ts';
import { failureWords } from '../../wording/failure.ts';
import type { CardFocus } from '../chat/card-focus.ts';
import type { CardKey } from '../chat/card-state.ts';
import type { Chat } from '../chat/chat.ts';
import { failureCard, type FailureChoice } from '../lines/failure-card.ts';
import type { Look } from '../lines/look.ts';
import { namedModels, providerCard, type ProviderFacts } from '../lines/provider-card.ts';

interface Failures {
  /** The card that may have the keys. Undefined if nothing failed. */
  readonly id: string | undefined;
  /** `trouble`: the provider is tried again. */
  readonly state: 'failed' | 'trouble' | undefined;
  lines(look: Look): readonly string[];
  /** `text`: the key isn't for the card but begins a prompt. */
  key(key: CardKey): 'taken' | 'text';
}

interface FailuresParts {
  readonly chat: () => Chat | undefined;
  readonly focus: () => CardFocus;
  readonly provider: () => ProviderFacts | undefined;
  /** Models to switch to, best first. */
  readonly models: () => readonly string[];
  /** Opens the list of models. `retries`: the prompt is sent again once one is chosen. */
  readonly switchModel: (how: { readonly retries: boolean }) => void;
  readonly show: (title: string, text: string) => void;
}

type Act = 'retry' | 'raise-cost' | 'model' | 'close' | 'details';

interface Choice extends FailureChoice {
  readonly act: Act;
}

export function createFailures({ chat, focus, provider, models, switchModel, show }: FailuresParts): Failures {
  let state: { readonly of: string; readonly selected: number } | undefined;
  const selectedOf = (id: string) => (state?.of === id ? state.selected : 0);

  function act(open: Chat, ending: EndingItem, does: Act): void {
    switch (does) {
      case 'retry':
        return void open.retry();
      case 'raise-cost': {
        const cost = open.view.status?.limits.cost ?? 0;
        return void open.send({ type: 'limits', limits: { cost: cost * 2 } }).then((isDone) => {
          if (isDone) void open.retry();
        });
      }
      case 'model':
        return switchModel({ retries: true });
      case 'close':
        return focus().fold();
      case 'details':
        return show(wordsOf(ending).heading, messageOf(ending));
    }
  }

  return {
    get id() {
      const open = chat();
      if (provider() !== undefined) return `provider ${open?.view.status?.turn?.id ?? 0}`;
      return failedEnding(open)?.id;
    },
    get state() {
      if (provider() !== undefined) return 'trouble';
      const ending = failedEnding(chat());
      return ending === undefined || focus().place === 'folded' ? undefined : 'failed';
    },
    lines(look) {
      const facts = provider();
      if (facts !== undefined) return providerCard(facts, look);
      const open = chat();
      const ending = failedEnding(open);
      if (open === undefined || ending === undefined || focus().place === 'folded') return [];
      const { at, durationMs } = ending;
      const queued = open.view.status?.queue.prompts.length ?? 0;
      const hasKeys = focus().place !== 'prompt';
      const selected = hasKeys ? selectedOf(ending.id) : undefined;
      return failureCard(
        { words: wordsOf(ending), at, durationMs, queued },
        choicesOf(open, ending, models()),
        selected,
        look,
      );
    },
    key(key) {
      const open = chat();
      if (open === undefined) return 'taken';
      const facts = provider();
      if (facts !== undefined) {
        if (key.type === 'enter' && facts.trouble.until !== undefined) void open.send({ type: 'retry-now' });
        if (key.type !== 'letter') return 'taken';
        const letter = key.letter.toLowerCase();
        if (letter === 'm') switchModel({ retries: false });
        else if (letter === 'd') show(`${facts.model} isn't answering`, facts.trouble.message);
        else return 'text';
        return 'taken';
      }
      const ending = failedEnding(open);
      if (ending === undefined) return 'taken';
      const choices = choicesOf(open, ending, models());
      const selected = selectedOf(ending.id);
      const choose = (index: number) =>
        (state = { of: ending.id, selected: Math.max(0, Math.min(choices.length - 1, index)) });
      if (key.type === 'up') choose(selected - 1);
      else if (key.type === 'down') choose(selected + 1);
      else if (key.type === 'enter') act(open, ending, choices[selected]?.act ?? 'close');
      else if (key.type === 'letter') {
        const choice = choices.find((one) => one.key === key.letter.toLowerCase());
        if (choice === undefined) return /\d/.test(key.letter) ? 'taken' : 'text';
        act(open, ending, choice.act);
      }
      return 'taken';
    },
  };
}

/** How the last turn ended, if it failed and nothing followed. */
function failedEnding(chat: Chat | undefined): EndingItem | undefined {
  // While the server is away, its card takes this one's place.
  if (chat === undefined || chat.isLost || chat.isWorking || chat.question !== undefined) return undefined;
  const { items } = chat.view.transcript;
  const last = itemsBetween(items, Math.max(0, items.length - recent), items.length);
  const ending = last.findLast((item): item is EndingItem => item.type === 'ending');
  if (ending === undefined || (ending.ending.type !== 'failed' && ending.ending.type !== 'timed-out'))
    return undefined;
  return last.slice(last.indexOf(ending) + 1).some(isPrompt) ? undefined : ending;
}

/** Notices and workers' reports may follow an ending. */
const recent = 12;

function isPrompt({ type }: Item): boolean {
  return type === 'prompt';
}

function wordsOf(ending: EndingItem): ReturnType<typeof failureWords> {
  const message = messageOf(ending);
  return failureWords({ code: ending.ending.type === 'failed' ? ending.ending.code : undefined, message });
}

function messageOf({ ending }: EndingItem): string {
  return ending.type === 'failed' || ending.type === 'timed-out' ? ending.message : '';
}

function switchText(models: readonly string[]): string {
  const [named] = namedModels(models);
  return named === undefined ? 'Retries with another model.' : `Retries with another model, such as ${named}.`;
}

function choicesOf({ view }: Chat, { ending }: EndingItem, models: readonly string[]): readonly Choice[] {
  const code = ending.type === 'failed' ? ending.code : 'timed-out';
  const cost = view.status?.limits.cost ?? 0;
  const isCost = code === 'limit-cost' && cost > 0;
  const isModel = code.startsWith('model-') || code === 'errors-in-row';
  const again = 'Sends the prompt again. Finished steps stay.';
  const rows: readonly Omit<Choice, 'key'>[] = [
    isCost
      ? {
          label: `Add ${dollarsText(cost)}`,
          effect: `Raises the limit to ${dollarsText(cost * 2)} and sends the prompt again.`,
          act: 'raise-cost',
        }
      : { label: 'Retry', effect: again, act: 'retry' },
    ...(isModel ? [{ label: 'Switch model', effect: switchText(models), act: 'model' } as const] : []),
    {
      label: 'Stop here',
      effect: `Keeps everything.${view.status?.queue.paused === true ? ' The queue stays paused.' : ''}`,
      act: 'close',
    },
  ];
  return [
    ...rows.map((row, index) => ({ ...row, key: `${index + 1}` })),
    { key: 'd', label: 'Details', effect: 'The whole error.', act: 'details' },
  ];
}
