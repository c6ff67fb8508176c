/** The card of the open request: its state, its keys, and its lines, which are drawn only if something changed. */
import { printable } from '../../views/printable.ts';
import { alikeRequests } from '../../views/alike-requests.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { cardChoices, type CardChoice } from '../../wording/card-choices.ts';
import { ageText } from '../../wording/duration.ts';
import { effectHeading, isDangerous } from '../../wording/effect-heading.ts';
import type { CardFocus } from '../chat/card-focus.ts';
import { afterFrame, cardKey, confirmMs, newCardState, type CardKey, type CardState } from '../chat/card-state.ts';
import { createHeldKey, longestHoldMs } from '../chat/held-key.ts';
import type { Chat } from '../chat/chat.ts';
import { openQuestionsIn } from '../chat/chat-view.ts';
import { cardBody, type CardBody } from '../lines/card-body.ts';
import { cardLines, notDrawn, type DrawnCard } from '../lines/card-lines.ts';
import { sideBySideFrom } from '../lines/diff-lines.ts';
import { visibleLine, visibleText } from '../../views/visible-text.ts';
import { proposalOf } from '../chat/edit-proposal.ts';
import { cut, spread, wrapped } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { EditorText } from './external-editor.ts';
import type { KeyState } from './key-hints.ts';

interface Requests {
  /** `height`: what a card usually takes. `room`: the rows that there are. */
  lines(look: Look, height: number, room: number): readonly string[];
  /** `text`: the key isn't for the card but begins a prompt. */
  key(key: CardKey): 'taken' | 'text';
  /** The whole request without its choices, for a screen of its own. */
  full(look: Look): readonly string[];
  /** The keys that the open request takes. */
  readonly keys: KeyState;
}

interface RequestsParts {
  readonly chat: () => Chat | undefined;
  readonly focus: CardFocus;
  readonly project: () => string;
  /** Lets the user type: a reason or an answer. */
  readonly write: () => void;
  /** Opens a proposal in the user's editor. */
  readonly edit: (proposal: EditorText) => Promise<string>;
  readonly hint: (text: string) => void;
}

export function createRequests({ chat, focus, project, write, edit, hint }: RequestsParts): Requests {
  let state: CardState | undefined;
  let drawn: DrawnCard = notDrawn;
  let width = 0;
  let choicesSince = 0;
  let answering: string | undefined;
  const held = createHeldKey(confirmMs);
  let body: { readonly of: readonly unknown[]; readonly drawn: CardBody } | undefined;

  function stateOf(question: OpenQuestion): CardState {
    if (state?.question !== question.id) {
      state = newCardState(question.id, {
        isDangerous: isDangerous(question),
        choices: cardChoices(question, project()),
      });
      drawn = notDrawn;
    }
    return state;
  }

  function bodyOf(question: OpenQuestion, before: string | undefined, look: Look): CardBody {
    const { isSideBySide, file } = stateOf(question);
    const text = question.args === undefined ? '' : look.textOf(question.args);
    const of = [question.id, before, isSideBySide, file, look.width, look.paint, text];
    if (body === undefined || body.of.some((part, index) => part !== of[index]))
      body = { of, drawn: cardBody(question, { before, isSideBySide, file }, look) };
    return body.drawn;
  }

  const alikeIn = (open: Chat, question: OpenQuestion) =>
    alikeRequests(question, openQuestionsIn(open.view), isDangerous);
  const choicesIn = (open: Chat, question: OpenQuestion) =>
    cardChoices(question, project(), alikeIn(open, question));

  /** The saved text is what applies. Without a change, the request stays open. */
  async function editFirst(open: Chat, question: OpenQuestion): Promise<void> {
    const proposal = proposalOf(question, await open.wholeText(question.args ?? ''), open.fileBefore(question));
    if (proposal === undefined) return hint("An external agent's request can't be edited");
    const args = proposal.apply(await edit(proposal));
    if (args === undefined) return hint('Nothing changed');
    await open.answerFor(question, { type: 'allow-edited', args });
  }

  return {
    lines(look, height, room) {
      const open = chat();
      const question = open?.question;
      if (open === undefined || question === undefined) return [];
      if (open.isLost && answering === question.id) return [unsentAnswer(question, look)];
      const fileBefore = open.fileBefore(question);
      const inner = { ...look, width: look.width - 4 };
      ({ width } = inner);
      const before = drawn.choices;
      drawn = cardLines(
        {
          question,
          choices: choicesIn(open, question),
          state: stateOf(question),
          from: fromText(open, question, look),
          more: openQuestionsIn(open.view).length - 1,
          place: focus.place,
          body: bodyOf(question, fileBefore, inner),
          height,
          room,
        },
        look,
      );
      if (keysOf(before) !== keysOf(drawn.choices)) choicesSince = Date.now();
      state = afterFrame(stateOf(question), drawn.shown);
      return drawn.lines;
    },
    full(look) {
      const open = chat();
      const question = open?.question;
      if (open === undefined || question === undefined) return [];
      const { isSideBySide } = stateOf(question);
      const { lines } = cardBody(question, { before: open.fileBefore(question), isSideBySide }, look);
      const args = question.args === undefined ? '' : visibleText(look.textOf(question.args));
      return [...lines, ...(args === '' ? [] : ['', ...wrapped(args, look.width)])];
    },
    key(key) {
      const open = chat();
      const question = open?.question;
      // A second press while the first answer is on its way answers nothing.
      if (open === undefined || question === undefined) return 'taken';
      // It may take long to arrive while the server is away: what is typed then is a prompt.
      if (answering === question.id) return open.isLost && key.type === 'letter' ? 'text' : 'taken';
      if (!held.came(key)) return 'taken';
      const current = stateOf(question);
      /** Esc, Tab or somebody else's answer may come first. */
      const give = (send: () => Promise<unknown>) =>
        held.answer(() => {
          if (chat()?.question?.id !== question.id || focus.place !== 'card') return;
          answering = question.id;
          void send().finally(() => (answering = undefined));
        });
      const facts = {
        choices: drawn.choices,
        choicesSince,
        isDangerous: isDangerous(question),
        mustSee: drawn.mustSee,
        shown: drawn.shown,
        files: body?.drawn.files?.count ?? 0,
        canEdit: question.about.type === 'approval' && question.about.request === undefined,
        isSideBySide: current.isSideBySide ?? width >= sideBySideFrom - 4,
        holdMs: longestHoldMs(),
        now: Date.now(),
      };
      const { state: next, act, isText } = cardKey(current, key, facts);
      state = next;
      switch (act?.type) {
        case 'answer':
          give(() => open.answer(act.answer));
          break;
        case 'answer-alike':
          give(() => open.allowAll([question, ...alikeIn(open, question)]));
          break;
        case 'edit':
          answering = question.id;
          editFirst(open, question)
            .catch((error: unknown) => open.note((error as Error).message, 'error'))
            .finally(() => (answering = undefined));
          break;
        case 'reason':
          open.giveReason();
          write();
          break;
        case 'write':
          open.writeAnswer();
          write();
          break;
        case undefined:
          break;
      }
      if (isText !== true) return 'taken';
      // A question to the user is answered by words.
      if (choicesIn(open, question).some(({ does }) => does.type === 'write')) open.writeAnswer();
      return 'text';
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

/** Kept on this machine, and sent on reconnect. */
function unsentAnswer(question: OpenQuestion, { paint, glyphs, width }: Look): string {
  const note = 'not sent yet';
  const words = cut(`Answered: ${visibleLine(effectHeading(question))}`, width - note.length - 8);
  return spread(`${paint.warn(`${glyphs.bar} ${glyphs.unknown}`)} ${words}`, paint.ink3(note), width - 2);
}

const keysOf = (choices: readonly CardChoice[]) => choices.map(({ key }) => key).join('');

/** The worker that asks, or the session, and for how long. */
function fromText({ view }: Chat, question: OpenQuestion, { now, glyphs, width }: Look): string {
  const isBelow = view.questionsBelow.includes(question);
  const worker = isBelow
    ? (view.workers.find(({ question: asked }) => asked === question.id)?.name ?? 'a worker')
    : undefined;
  const age = now - question.openedAt < 10_000 ? 'now' : ageText(now - question.openedAt);
  const title = width < 100 ? '' : cut(printable(view.status?.title ?? ''), 40);
  return [worker ?? title, age].filter(Boolean).join(` ${glyphs.dot} `);
}
