/**
 * The conversation for people who read line by line, also with a screen reader: each line starts with a word for its
 * state, nothing depends on a shape, a color or a place.
 */
import { isBlobRef, previewOf } from '../../kernel/content.ts';
import type { OpenQuestion } from '../../views/open-question.ts';
import { argumentsOf } from '../../views/call-arguments.ts';
import { operatorsIn } from '../../views/part-operators.ts';
import { partRisk } from '../../views/part-risk.ts';
import { printable } from '../../views/printable.ts';
import type { CallItem, EndingItem, Item, QuestionItem } from '../../views/transcript-item.ts';
import { visibleLine } from '../../views/visible-text.ts';
import { answeredText, questionEndText } from '../../wording/answer.ts';
import {
  callWords,
  commandResult,
  isMissingFile,
  isQuestionCall,
  missingWords,
} from '../../wording/call-words.ts';
import { uncapital, capital } from '../../wording/capital.ts';
import { cardChoices, type CardChoice } from '../../wording/card-choices.ts';
import { counted } from '../../wording/counted.ts';
import { durationText } from '../../wording/duration.ts';
import { effectHeading, isDangerous, partSentence } from '../../wording/effect-heading.ts';
import { endingText } from '../../wording/ending.ts';
import { modelEndText } from '../../wording/model-end.ts';
import { noticeText } from '../../wording/notice.ts';
import { questionBody } from '../../wording/question-card.ts';
import { isViewer, otherThan, personName } from '../../wording/viewer.ts';
import { workerText } from '../../wording/worker.ts';
import { judgedParts, type JudgedPart } from '../../views/covering-rule.ts';

/** Undefined while it isn't final. Empty if there is nothing to say. */
export function spokenItem(item: Item, isStreamed: boolean, self: string, spent = ''): string | undefined {
  switch (item.type) {
    case 'prompt':
      if (item.taken === 'joined') return 'steered: your prompt joined the turn';
      return isViewer(self, item.by.name) || item.asked.type !== 'chat'
        ? ''
        : `${personName(item.by.name)}: ${printable(previewOf(item.asked.text))}`;
    case 'message': {
      const said = isStreamed ? '' : printable(previewOf(item.text));
      const end = modelEndText(item.outcome);
      return [said === '' ? '' : `agent: ${said}`, end === '' ? '' : `FAILED: ${end}`].filter(Boolean).join('\n');
    }
    case 'call':
      return spokenCall(item);
    case 'question':
      return item.state.type === 'open' ? undefined : `answer: ${spokenAnswer(item, self)}`;
    case 'notice':
      return `note: ${noticeText(item.about, otherThan(self, item.by))}`;
    case 'ending':
      return spokenEnding(item, spent);
    case 'worker':
      return `worker: ${workerText(item)}`;
    case 'agent-message':
      return `agent: ${printable(previewOf(item.text))}`;
    case 'agent-thought':
      return '';
    case 'agent-call':
      return `step: ${visibleLine(item.title ?? item.call)}, ${item.state}`;
    case 'agent-plan':
      return item.entries.map(({ text, state }) => `plan: ${visibleLine(text)}, ${state}`).join('\n');
  }
}

function spokenAnswer({ state }: QuestionItem, self: string): string {
  return state.type === 'answered' && isViewer(self, state.by.name)
    ? answeredText(state.answer)
    : (questionEndText(state, self) ?? '');
}

function spokenCall({ tool, args, facts, state }: CallItem): string | undefined {
  if (isQuestionCall({ tool, state })) return '';
  const { done, failed, object, added, removed } = callWords({ tool, state, facts }, previewOf(args));
  const verb = state.type === 'failed' ? failed : done;
  const what = `${verb.toLowerCase()} ${object}`.trimEnd();
  const took =
    'durationMs' in state && state.durationMs !== undefined ? `, ${durationText(state.durationMs)}` : '';
  switch (state.type) {
    case 'planned':
    case 'asking':
    case 'running':
      return undefined;
    case 'succeeded': {
      const { text, isFailed } = commandResult(previewOf(state.output), state.data);
      const counts = added + removed === 0 ? '' : `, ${added} added, ${removed} removed`;
      return `${isFailed ? 'FAILED' : 'step'}: ${what}${counts}${text === '' ? '' : `, ${text}`}${took}`;
    }
    case 'failed':
      if (isMissingFile({ tool, state }))
        return `step: ${missingWords.verb.toLowerCase()} ${object}, ${missingWords.result}${took}`;
      return `FAILED: ${what}, ${visibleLine(previewOf(state.message))}${took}`;
    case 'refused':
      return `refused: ${object === '' ? what : object}. ${visibleLine(state.reason)}`;
    case 'cancelled':
      return `stopped: ${what}${took}`;
  }
}

function spokenEnding({ ending, durationMs }: EndingItem, spent: string): string {
  const took = durationMs === undefined ? '' : `: ${durationText(durationMs)}`;
  switch (ending.type) {
    case 'completed':
      return `done${took}${spent}`;
    case 'cancelled':
      return `stopped${took}`;
    case 'failed':
    case 'timed-out':
      return `FAILED: ${endingText(ending).replace(/^Failed: /, '')}`;
  }
}

/** A request: its effect, each part with its danger as a word, and the choices by number and letter. */
export function spokenRequest(question: OpenQuestion, project: string): readonly string[] {
  const heading = effectHeading(question);
  const parts = judgedParts(question);
  const body =
    parts.length > 1
      ? spokenParts(question, parts)
      : questionBody(question).map(({ text, tone }) => spokenMark(text, tone));
  const isEffect = question.about.type === 'approval';
  return [
    `NEEDS YOU: ${isEffect ? uncapital(heading) : heading}`,
    ...body,
    'Choices:',
    ...cardChoices(question, project).map((choice, index) => choiceLine(choice, index, isDangerous(question))),
  ];
}

/** Each part with how it follows the one before, its effect, its danger as a word, and the rule that covers it. */
function spokenParts(question: OpenQuestion, parts: readonly JudgedPart[]): readonly string[] {
  const { args = '' } = question;
  const command = isBlobRef(args) ? undefined : argumentsOf(args)?.['command'];
  const operators = operatorsIn(
    typeof command === 'string' ? command : '',
    parts.map(({ text }) => text),
  );
  const open = parts.filter(({ allowing }) => allowing === undefined).length;
  const count = open === 0 ? 'all covered by rules' : `${open} not covered by a rule`;
  return [
    `Command with ${counted(parts.length, 'part')}, ${count}. Allowing it runs all of them.`,
    ...parts.map((part, index) => {
      const { level } = partRisk(part);
      const risk = level === 3 ? 'DANGER: ' : level > 1 ? 'CAUTION: ' : '';
      const does = partSentence(part);
      const effect = risk === '' ? does : uncapital(does);
      const follows = following[operators[index] ?? '']?.(index) ?? '';
      const { allowing, asking } = part;
      const open = asking === undefined ? 'No rule' : `Asks: ${visibleLine(asking)}`;
      const verdict = allowing === undefined ? open : `Allowed by ${visibleLine(allowing)}`;
      return `Part ${index + 1}${follows}: ${visibleLine(part.text)}. ${risk}${effect.replace(/\.$/, '')}. ${verdict}.`;
    }),
  ];
}

/** What an operator means for the part after it. */
const following: Readonly<Record<string, ((before: number) => string) | undefined>> = {
  '&&': () => ', after success',
  '||': () => ', after a failure',
  '|': (before) => `, receives the output of part ${before}`,
  '|&': (before) => `, receives the output of part ${before}`,
  '&': (before) => `, beside part ${before}`,
};

function spokenMark(text: string, tone: string): string {
  const plain = text.trim().replace(/^!!? /, '');
  return tone === 'danger' ? `DANGER: ${plain}` : tone === 'caution' ? `CAUTION: ${plain}` : plain;
}

function choiceLine({ key, label, rules, effect, does }: CardChoice, index: number, danger: boolean): string {
  const isYes = does.type === 'answer' && does.answer.type.startsWith('allow');
  const letter = key === `${index + 1}` ? '' : ` or ${key}`;
  const sentences = [
    label.toLowerCase(),
    rules.length === 0 ? '' : `Saves ${rules.join(' and ')}`,
    effect.replace(/ Press Y twice.*$/, ''),
    danger && isYes ? "Asks for the word yes, because it can't be undone" : '',
  ];
  const said = sentences.flatMap((text) => (text.trim() === '' ? [] : [text.trim().replace(/\.$/, '')]));
  return `  ${index + 1}${letter}  ${said.map((text, at) => (at === 0 ? text : capital(text))).join('. ')}.`;
}

/** The choice that a typed line means: its number or its letter. */
export function choiceIn(question: OpenQuestion, project: string, line: string): CardChoice | undefined {
  const word = line.trim().toLowerCase();
  const choices = cardChoices(question, project);
  return choices.find(({ key }) => key === word) ?? (/^[1-9]$/.test(word) ? choices[Number(word) - 1] : undefined);
}
