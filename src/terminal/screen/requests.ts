/** The card of the open request: its state, its keys, and its lines, which are drawn only if something changed. */
import type { OpenQuestion } from '../../views/open-question.ts';
import { cardChoices } from '../../wording/card-choices.ts';
import { ageText } from '../../wording/duration.ts';
import { isDangerous } from '../../wording/effect-heading.ts';
import type { CardFocus } from '../chat/card-focus.ts';
import { cardKey, newCardState, type CardKey, type CardState } from '../chat/card-state.ts';
import type { Chat } from '../chat/chat.ts';
import { openQuestionsIn } from '../chat/chat-view.ts';
import { cardBody, type CardBody } from '../lines/card-body.ts';
import { cardLines } from '../lines/card-lines.ts';
import { visibleText } from '../../views/visible-text.ts';
import { cut, wrapped } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { KeyState } from './key-hints.ts';

export interface Requests {
  lines(look: Look, height: number): readonly string[];
  /** `text`: the key isn't for the card but begins a prompt. */
  key(key: CardKey): 'taken' | 'text';
  /** The whole request without its choices, for a screen of its own. */
  full(look: Look): readonly string[];
  /** The keys that the open request takes. */
  readonly keys: KeyState;
}

export interface RequestsParts {
  readonly chat: () => Chat | undefined;
  readonly focus: CardFocus;
  readonly project: () => string;
  /** Lets the user type: a reason or an answer. */
  readonly write: () => void;
}

export function createRequests({ chat, focus, project, write }: RequestsParts): Requests {
  let state: CardState | undefined;
  let mustSee = 0;
  let answering: string | undefined;
  let body: { readonly of: readonly unknown[]; readonly drawn: CardBody } | undefined;

  function stateOf(question: OpenQuestion): CardState {
    if (state?.question !== question.id) {
      state = newCardState(question.id, { isDangerous: isDangerous(question) });
      mustSee = 0;
    }
    return state;
  }

  function bodyOf(question: OpenQuestion, before: string | undefined, look: Look): CardBody {
    const { isSideBySide } = stateOf(question);
    const text = question.args === undefined ? '' : look.textOf(question.args);
    const of = [question.id, before, isSideBySide, look.width, look.paint, text];
    if (body === undefined || body.of.some((part, index) => part !== of[index]))
      body = { of, drawn: cardBody(question, { before, isSideBySide }, look) };
    return body.drawn;
  }

  return {
    lines(look, height) {
      const open = chat();
      const question = open?.question;
      if (open === undefined || question === undefined) return [];
      const before = open.fileBefore(question);
      const inner = { ...look, width: look.width - 4 };
      const drawn = cardLines(
        {
          question,
          choices: cardChoices(question, project()),
          state: stateOf(question),
          from: fromText(open, question, look),
          more: openQuestionsIn(open.view).length - 1,
          place: focus.place,
          body: bodyOf(question, before, inner),
          height,
        },
        look,
      );
      ({ mustSee } = drawn);
      const current = stateOf(question);
      if (drawn.seen > current.seen || drawn.scroll !== current.scroll)
        state = { ...current, seen: Math.max(drawn.seen, current.seen), scroll: drawn.scroll };
      return drawn.lines;
    },
    full(look) {
      const open = chat();
      const question = open?.question;
      if (open === undefined || question === undefined) return [];
      const { lines } = bodyOf(question, open.fileBefore(question), look);
      const args = question.args === undefined ? '' : visibleText(look.textOf(question.args));
      return [...lines, ...(args === '' ? [] : ['', ...wrapped(args, look.width)])];
    },
    key(key) {
      const open = chat();
      const question = open?.question;
      // A second press while the first answer is on its way answers nothing.
      if (open === undefined || question === undefined || answering === question.id) return 'taken';
      const facts = {
        choices: cardChoices(question, project()),
        isDangerous: isDangerous(question),
        mustSee,
        now: Date.now(),
      };
      const { state: next, act, isText } = cardKey(stateOf(question), key, facts);
      state = next;
      switch (act?.type) {
        case 'answer':
          answering = question.id;
          void open.answer(act.answer).finally(() => (answering = undefined));
          break;
        case 'reason':
          open.giveReason();
          write();
          break;
        case 'write':
          write();
          break;
        case undefined:
          break;
      }
      return isText === true ? 'text' : 'taken';
    },
    get keys() {
      const question = chat()?.question;
      if (question === undefined) return 'idle';
      if (focus.place === 'prompt' || focus.place === 'folded') return 'waiting-request';
      if (question.about.type === 'clarification') return 'question';
      if (isDangerous(question)) return 'danger';
      const isEdit = question.about.type === 'approval' && ['edit', 'write'].includes(question.about.tool);
      return isEdit ? 'edit-request' : 'request';
    },
  };
}

/** The worker that asks, or the session, and for how long. */
function fromText({ view }: Chat, question: OpenQuestion, { now, glyphs, width }: Look): string {
  const isBelow = view.questionsBelow.includes(question);
  const worker = isBelow
    ? (view.workers.find(({ question: asked }) => asked === question.id)?.name ?? 'a worker')
    : undefined;
  const age = now - question.openedAt < 10_000 ? 'now' : ageText(now - question.openedAt);
  const title = width < 100 ? '' : cut(view.status?.title ?? '', 40);
  return [worker ?? title, age].filter(Boolean).join(` ${glyphs.dot} `);
}
