/** The lines between the conversation and the editor: plan, workers, queue, question, current activity. */
import type { OpenQuestion } from '../../views/open-question.ts';
import { itemAt } from '../../views/persistent-list.ts';
import type { Item } from '../../views/transcript-item.ts';
import { activityLine } from './activity-line.ts';
import { openQuestionsIn, type ChatView } from '../chat/chat-view.ts';
import { cut } from '../lines/fit.ts';
import { planLines } from '../lines/item-lines.ts';
import type { Look } from '../lines/look.ts';
import { questionPanel, type Asked } from '../lines/question-lines.ts';
import { queueLines, unsentLines } from '../lines/queue-lines.ts';
import { panelFrom, workerList } from '../lines/worker-lines.ts';

export interface FootState {
  /** The whole screen's width. The conversation next to a panel is narrower. */
  readonly screenWidth: number;
  readonly editing: number | undefined;
  readonly keys: Asked['keys'];
  /** Lines waiting for a reconnect. */
  readonly unsent: readonly string[];
}

export function footLines(view: ChatView, foot: FootState, look: Look): readonly string[] {
  const { status, transcript } = view;
  if (status === undefined) return [];
  const questions = openQuestionsIn(view);
  const [question] = questions;
  const said = transcript.writing === undefined ? '' : (view.streams.get(transcript.writing.effect)?.status ?? '');
  const activity = activityLine(status, said, look);
  return [
    ...pinnedPlan(view, look),
    ...(foot.screenWidth >= panelFrom ? [] : workerList(view.workers, look)),
    ...queueLines(status, foot.editing, look),
    ...unsentLines(foot.unsent, look),
    ...(question === undefined
      ? []
      : questionPanel(
          {
            question,
            ...askedOf(view, question),
            more: questions.length - 1,
            keys: foot.keys,
          },
          look,
        )),
    ...(activity === undefined ? [] : [activity]),
  ].map((line) => cut(line, look.width));
}

/** Keeps the plan visible while the agent works. */
function pinnedPlan({ transcript, status }: ChatView, look: Look): readonly string[] {
  const { plan } = transcript.current;
  if (plan === undefined || status?.turn === undefined) return [];
  const item: Item | undefined = itemAt(transcript.items, plan);
  return item?.type === 'agent-plan' ? planLines(item, look) : [];
}

/** Names the worker that asks. */
function askedOf({ questionsBelow, workers }: ChatView, question: OpenQuestion) {
  if (questionsBelow.includes(question)) {
    const worker = workers.find(({ question: asked }) => asked === question.id);
    return { asker: worker?.name ?? 'a worker' };
  }
  return {};
}
