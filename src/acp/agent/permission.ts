/**
 * Converts Rondo's questions to the protocol's permission requests and back.
 *
 * 1. A request has at most one option of each kind: editors bind keys to kinds.
 * 2. "Always" saves nothing by itself. A second request shows the exact rules and asks how long they apply.
 */
import type { PermissionOption, RequestPermissionOutcome } from '@agentclientprotocol/sdk';

import type { PermissionOption as AgentOption } from '../../kernel/agent-request.ts';
import type { Answer, QuestionSubject } from '../../kernel/question.ts';
import { grantsText } from '../../views/call-summary.ts';
import { visibleLine } from '../../views/visible-text.ts';

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

/** Undefined if the question isn't a permission: it needs text, a form or a choice among equals. */
export function permissionOptions(subject: QuestionSubject): PermissionOption[] | undefined {
  switch (subject.type) {
    case 'approval':
      return isChoiceAmongEquals(subject) ? undefined : approvalOptions(subject);
    case 'repeat':
    case 'reply-review':
      return [
        { optionId: 'allow-once', name: 'Yes', kind: 'allow_once' },
        { optionId: 'reject', name: 'No', kind: 'reject_once' },
      ];
    case 'clarification':
      return undefined;
    case 'form':
      if (subject.url === undefined) return undefined;
      return [
        { optionId: 'allow-once', name: 'Done', kind: 'allow_once' },
        { optionId: 'reject', name: 'No', kind: 'reject_once' },
      ];
  }
}

/** A hosted agent that offers several one-time answers asks for a choice, not for a permission. */
export function isChoiceAmongEquals({ options = [] }: Approval): boolean {
  return options.filter(({ kind }) => kind === 'allow-once').length > 1;
}

/** A lasting yes becomes Rondo's own rule where one fits. Otherwise the agent's offer is passed on. */
function approvalOptions({ grants, options = [] }: Approval): PermissionOption[] {
  const always = options.find(({ kind }) => kind === 'allow-always');
  const never = options.find(({ kind }) => kind === 'reject-always');
  return [
    { optionId: 'allow-once', name: 'Allow once', kind: 'allow_once' },
    ...(grants.length > 0
      ? [
          {
            optionId: WIDER,
            name: `Always allow ${visibleLine(grantsText(grants))} …`,
            kind: 'allow_always' as const,
          },
        ]
      : always === undefined
        ? []
        : [agentOption(always, 'allow_always')]),
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ...(never === undefined ? [] : [agentOption(never, 'reject_always')]),
  ];
}

const WIDER = 'wider';

function agentOption(option: AgentOption, kind: PermissionOption['kind']): PermissionOption {
  return { optionId: `option:${option.id}`, name: agentOptionText(option), kind };
}

/** A hosted agent's label for a choice is only a claim, so the choice's effect comes first (S16). */
export function agentOptionText({ name, kind }: Pick<AgentOption, 'name' | 'kind'>): string {
  return `${kindWords[kind]} ("${visibleLine(name)}")`;
}

/** The second request, after "always": the rules, and how long they apply. */
export function widerOptions({ grants }: Pick<Approval, 'grants'>): PermissionOption[] {
  const rules = (detail: 'short' | 'whole') => visibleLine(grantsText(grants, detail));
  return [
    { optionId: 'allow-session', name: `Allow for this session: ${rules('short')}`, kind: 'allow_once' },
    { optionId: 'allow-always', name: `Always allow in this project: ${rules('whole')}`, kind: 'allow_always' },
    { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
  ];
}

export type Chosen =
  | { readonly type: 'answer'; readonly answer: Answer }
  /** Ask how long the rules apply. */
  | { readonly type: 'wider' }
  /** The client dismissed the request, or chose something that wasn't offered. */
  | { readonly type: 'cancelled' };

/** What a client answered. Anything but a selection dismisses the request. */
export function permissionOutcome(outcome: {
  readonly outcome: string;
  readonly optionId?: unknown;
}): RequestPermissionOutcome {
  return outcome.outcome === 'selected' && typeof outcome.optionId === 'string'
    ? { outcome: 'selected', optionId: outcome.optionId }
    : { outcome: 'cancelled' };
}

export function chosenFrom(outcome: RequestPermissionOutcome, offered: readonly PermissionOption[]): Chosen {
  if (outcome.outcome !== 'selected') return { type: 'cancelled' };
  const { optionId } = outcome;
  if (!offered.some((option) => option.optionId === optionId)) return { type: 'cancelled' };
  switch (optionId) {
    case 'allow-once':
    case 'allow-session':
    case 'allow-always':
    case 'reject':
      return { type: 'answer', answer: { type: optionId } };
    case WIDER:
      return { type: 'wider' };
    default:
      return { type: 'answer', answer: { type: 'option', option: optionId.slice('option:'.length) } };
  }
}

const kindWords = {
  'allow-once': 'Allow once',
  'allow-always': 'Always allow',
  'reject-once': 'Reject',
  'reject-always': 'Always reject',
} as const;
