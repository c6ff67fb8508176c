/** The requests of all sessions: a list, and below it the card of the selected one. The same keys answer it. */
import { printable } from '../../views/printable.ts';
import { Key, matchesKey } from '@earendil-works/pi-tui';

import type { InboxRequest } from '../../commands/command-result.ts';
import { openRequests } from '../../commands/inbox.ts';
import type { Answer } from '../../kernel/question.ts';
import type { RondoClient } from '../../ports/rondo-client.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { cardChoices } from '../../wording/card-choices.ts';
import { counted } from '../../wording/counted.ts';
import { ageText } from '../../wording/duration.ts';
import { effectHeading, isDangerous } from '../../wording/effect-heading.ts';
import {
  afterFrame,
  cardKey,
  confirmMs,
  newCardState,
  readMs,
  type CardKey,
  type CardState,
} from '../chat/card-state.ts';
import { createHeldKey, longestHoldMs } from '../chat/held-key.ts';
import { cardBody } from '../lines/card-body.ts';
import { cardLines, notDrawn, type DrawnCard } from '../lines/card-lines.ts';
import { cut, padded, spread } from '../lines/fit.ts';
import type { Look } from '../lines/look.ts';
import type { Picker, PickerPlace } from './picker.ts';

interface InboxPickerOptions {
  readonly requests: readonly InboxRequest[];
  readonly rondo: RondoClient;
  /** Questions that the user put off, and until when. Kept while the chat runs. */
  readonly snoozed: Map<string, number>;
  readonly open: (session: string) => void;
  readonly say: (text: string) => void;
}

const refreshMs = 2000;
const mostRows = 6;
const snoozeMs = 3_600_000;

export function createInboxPicker(options: InboxPickerOptions, place: PickerPlace): Picker {
  const { rondo, snoozed, open, say } = options;
  const isOpen = ({ question }: InboxRequest) => (snoozed.get(question.id) ?? 0) <= Date.now();
  let all = options.requests;
  let requests = all.filter(isOpen);
  let selected = 0;
  let state: CardState | undefined;
  let drawn: DrawnCard = notDrawn;
  let files = 0;
  /** Since when this card stands here without the user having moved to it. */
  let cameAt = Date.now();
  /** Several of one kind that the next Y or N answers together. */
  const chosen = new Set<string>();

  const timer = setInterval(() => {
    openRequests(rondo).then(become, () => undefined);
  }, refreshMs);
  timer.unref();

  const answering = new Set<string>();
  const held = createHeldKey(confirmMs);
  function become(found: readonly InboxRequest[]): void {
    all = found;
    const next = found.filter(isOpen);
    const at = next.findIndex(({ question }) => question.id === requests[selected]?.question.id);
    if (at < 0) cameAt = Date.now();
    requests = next;
    for (const id of chosen) if (!next.some(({ question }) => question.id === id)) chosen.delete(id);
    selected = Math.max(0, Math.min(next.length - 1, at < 0 ? selected : at));
    place.changed();
  }
  function close(): void {
    clearInterval(timer);
    held.close();
    place.closed();
  }
  function move(by: number): void {
    selected = Math.max(0, Math.min(requests.length - 1, selected + by));
  }
  function stateOf(request: InboxRequest): CardState {
    const { question } = request;
    if (state?.question !== question.id) {
      state = newCardState(question.id, { isDangerous: isDangerous(question), choices: choicesOf(request) });
      drawn = notDrawn;
    }
    return state;
  }
  /** A reason or a text needs the prompt of that session. */
  function press(request: InboxRequest, key: CardKey): void {
    const { question, session } = request;
    if (!held.came(key)) return;
    const current = stateOf(request);
    const facts = {
      choices: drawn.choices,
      choicesSince: cameAt,
      isDangerous: isDangerous(question),
      mustSee: drawn.mustSee,
      shown: drawn.shown,
      files,
      isSideBySide: current.isSideBySide ?? false,
      canEdit: false,
      holdMs: longestHoldMs(),
      now: Date.now(),
    };
    // A second press for the request before must not answer this one.
    if (answering.has(question.id) || Date.now() - cameAt < readMs) return;
    const { state: next, act } = cardKey(current, key, facts);
    state = next;
    // The line that asks for the second press changes once that counts.
    if (next.armed !== undefined) setTimeout(place.changed, longestHoldMs()).unref();
    if (act === undefined) return;
    if (act.type !== 'answer') {
      close();
      return open(session);
    }
    const { answer } = act;
    held.answer(() => {
      if (requests[selected]?.question.id === question.id) answerChosen(request, answer);
    });
  }
  function answerChosen(request: InboxRequest, answer: Answer): void {
    const isEach = answer.type === 'allow-once' || answer.type === 'reject';
    if (chosen.size === 0) give(request, answer);
    else if (!chosen.has(request.question.id)) say("This request isn't among the selected ones. X adds it.");
    else if (!isEach) say('Several requests are allowed once or denied.');
    else for (const one of requests) if (chosen.has(one.question.id)) give(one, answer);
  }
  function give(request: InboxRequest, answer: Answer): void {
    const { question, session } = request;
    answering.add(question.id);
    rondo
      .open(session)
      .then((client) => client.answer(question.id, answer))
      .then((receipt) => {
        if (receipt.type === 'refused') say(receipt.refusal.message);
        become(all.filter((other) => other !== request));
      })
      .catch(place.onProblem)
      .finally(() => answering.delete(question.id));
  }
  /** What can't be undone, and what wasn't read to its end, is never one of several. */
  function choose(request: InboxRequest): void {
    const { question } = request;
    const kind = kindOf(question);
    const first = requests.find((one) => chosen.has(one.question.id));
    held.close();
    if (chosen.delete(question.id)) return;
    if (kind === undefined) return say("Questions and what can't be undone are answered one by one.");
    if (first !== undefined && kindOf(first.question) !== kind) return say('Only requests of one kind.');
    const unseen = Array.from({ length: drawn.mustSee }, (_, line) => line).some(
      (line) => !stateOf(request).seen.has(line),
    );
    if (unseen) press(request, { type: 'page-down' });
    else chosen.add(question.id);
  }

  return {
    hints: 'inbox',
    close,
    handle(data, isRepeated = false) {
      const request = requests[selected];
      const letter = data.toLowerCase();
      if (matchesKey(data, Key.escape) || matchesKey(data, Key.ctrl('c')) || letter === 'q') return close();
      if (matchesKey(data, Key.up) || letter === 'k') move(-1);
      else if (matchesKey(data, Key.down) || letter === 'j') move(1);
      else if (request === undefined) return;
      else if (matchesKey(data, Key.enter) || letter === 'o') {
        close();
        return open(request.session);
      } else if (letter === 'x') choose(request);
      else if (letter === 'z') {
        snoozed.set(request.question.id, Date.now() + snoozeMs);
        become(all);
      } else if (matchesKey(data, Key.pageUp)) press(request, { type: 'page-up' });
      else if (matchesKey(data, Key.pageDown)) press(request, { type: 'page-down' });
      else if (data === ']') press(request, { type: 'next-file' });
      else if (data === '[') press(request, { type: 'previous-file' });
      else if (/^[a-z0-9]$/.test(letter) && !isRepeated) press(request, { type: 'letter', letter });
      place.changed();
    },
    lines(look, height, room) {
      const { paint, glyphs } = look;
      const inner: Look = { ...look, width: look.width - 4 };
      const bar = (line: string) => `${paint.work(glyphs.bar)} ${line}`.trimEnd();
      const later = all.length - requests.length;
      const count = later === 0 ? counted(requests.length, 'open request') : `${requests.length} open`;
      const several = chosen.size === 0 ? '' : ` ${glyphs.dot} ${chosen.size} selected`;
      const put = later === 0 ? '' : ` ${glyphs.dot} ${later} snoozed for an hour`;
      const head = `${paint.strong('Inbox')}  ${paint.ink3(`${count}${put}${several}`)}`;
      const request = requests[selected];
      if (request === undefined) return [head, '', paint.ink3('Nothing needs you')].map(bar);
      const first = Math.max(0, Math.min(selected - mostRows + 2, requests.length - mostRows));
      const rows = requests.slice(first, first + mostRows).map((one, index) => {
        const marks = { isSelected: first + index === selected, isChosen: chosen.has(one.question.id) };
        return rowOf(one, marks, inner);
      });
      const { isSideBySide = false, file } = stateOf(request);
      const body = cardBody(request.question, { before: undefined, isSideBySide, file }, inner);
      files = body.files?.count ?? 0;
      drawn = cardLines(
        {
          question: request.question,
          choices: choicesOf(request),
          state: stateOf(request),
          from: cut(printable(request.title), 40),
          more: 0,
          place: 'card',
          body,
          height: Math.max(8, height - rows.length - 3),
          room: Math.max(8, room - rows.length - 3),
        },
        look,
      );
      state = afterFrame(stateOf(request), drawn.shown);
      return [...[head, '', ...rows, ''].map(bar), ...drawn.lines];
    },
  };
}

function choicesOf({ question, cwd }: InboxRequest) {
  return cardChoices(question, cwd.split('/').at(-1) ?? '');
}

/** Undefined for what is answered by itself. */
function kindOf(question: OpenQuestion): string | undefined {
  return question.about.type === 'approval' && !isDangerous(question) ? question.about.tool : undefined;
}

function rowOf(
  { question, title, cwd }: InboxRequest,
  { isSelected, isChosen }: { readonly isSelected: boolean; readonly isChosen: boolean },
  { paint, glyphs, width, now }: Look,
): string {
  const risk = isDangerous(question) ? `${paint.fail('!!')}  ` : '';
  const from = paint.ink2(
    [title, cwd.split('/').at(-1) ?? ''].map(printable).filter(Boolean).join(` ${glyphs.dot} `),
  );
  const left = `${isSelected ? glyphs.prompt : ' '} ${isChosen ? paint.work(glyphs.done) : paint.need(glyphs.need)} ${padded(cut(effectHeading(question), 44), 44)}  ${from}`;
  const right = `${risk}${paint.ink3(ageText(Math.max(0, now - question.openedAt)))}`;
  const line = spread(cut(left, width - 10), right, width);
  return isSelected ? paint.selected(padded(line, width)) : line;
}
