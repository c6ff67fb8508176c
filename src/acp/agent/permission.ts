/** Converts Rondo's questions to the protocol's permission requests and back. */
import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';

import type { Answer, QuestionSubject } from '../../kernel/question.ts';
import { approvalPart, grantsText } from '../../views/call-summary.ts';
import { visibleLine } from '../../views/visible-text.ts';

/** Undefined if the question isn't a choice: it needs text or a form. */
export function permissionOptions(subject: QuestionSubject): PermissionOption[] | undefined {
  switch (subject.type) {
    case 'approval':
      if (subject.options !== undefined)
        return subject.options.map(({ id, name, kind }) => ({
          optionId: `option:${id}`,
          name: `${kindWords[kind]} ("${visibleLine(name)}")`,
          kind: KINDS[kind],
        }));
      return [
        { optionId: 'allow-once', name: 'Allow once', kind: 'allow_once' },
        ...widerOptions(subject.grants),
        { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
      ];
    case 'repeat':
    case 'reply-review':
      return [
        { optionId: 'allow-once', name: 'Yes', kind: 'allow_once' },
        { optionId: 'reject', name: 'No', kind: 'reject_once' },
      ];
    case 'clarification':
      if (subject.options.length === 0) return undefined;
      return [
        ...subject.options.map((option): PermissionOption => ({
          optionId: `option:${option}`,
          name: option,
          kind: 'allow_once',
        })),
        { optionId: 'reject', name: 'None of these', kind: 'reject_once' },
      ];
    case 'form':
      if (subject.url === undefined) return undefined;
      return [
        { optionId: 'allow-once', name: 'Done', kind: 'allow_once' },
        { optionId: 'reject', name: 'No', kind: 'reject_once' },
      ];
  }
}

/** The label names the grant. Without a possible grant, there is no such option. */
function widerOptions(grants: readonly string[]): readonly PermissionOption[] {
  if (grants.length === 0) return [];
  const what = grantsText(grants);
  return [
    { optionId: 'allow-session', name: `Allow for this session: ${what}`, kind: 'allow_always' },
    { optionId: 'allow-always', name: `Always allow in this project: ${what}`, kind: 'allow_always' },
  ];
}

/** Undefined leaves the question open: the client gave no answer. */
export function answerFrom(outcome: RequestPermissionOutcome): Answer | undefined {
  if (outcome.outcome !== 'selected') return undefined;
  const { optionId } = outcome;
  switch (optionId) {
    case 'allow-once':
    case 'allow-session':
    case 'allow-always':
    case 'reject':
      return { type: optionId };
    default:
      return optionId.startsWith('option:')
        ? { type: 'option', option: optionId.slice('option:'.length) }
        : undefined;
  }
}

/** The question in one line. */
export function questionTitle(subject: QuestionSubject, text: string): string {
  switch (subject.type) {
    case 'approval':
      return [
        `${subject.tool}: ${approvalPart(subject)}${subject.unit === undefined ? '' : ' — '}${subject.reason}`,
        ...(subject.title === undefined ? [] : [`(${subject.title})`]),
      ].join(' ');
    case 'repeat':
      return `${subject.what} may have run already: may it run again? ${subject.reason}`;
    case 'reply-review':
      return 'May this reply stand?';
    case 'clarification':
      return text;
    case 'form':
      return subject.url === undefined ? subject.title : `${subject.title} ${subject.url}`;
  }
}

/** A hosted agent's label for a choice is only a claim, so the choice's effect comes first (S16). */
const kindWords = {
  'allow-once': 'Allow once',
  'allow-always': 'Always allow',
  'reject-once': 'Reject',
  'reject-always': 'Always reject',
} as const;

const KINDS = {
  'allow-once': 'allow_once',
  'allow-always': 'allow_always',
  'reject-once': 'reject_once',
  'reject-always': 'reject_always',
} as const;
