/** The answers to a request: each with its key, its label and the exact rule that it saves. */
import type { WireAnswer } from '../../../src/protocol/input-schema.ts';
import type { QuestionSubject } from '../../../src/kernel/question.ts';
import type { SentencePart } from '../../../src/wording/effect-sentence.ts';
import { runsAll } from '../../../src/wording/card-choices.ts';
import { grantMeaning } from '../../../src/views/call-summary.ts';
import { visibleLine } from '../../../src/views/visible-text.ts';

export interface AnswerChoice {
  readonly key: string;
  readonly label: string;
  readonly answer: WireAnswer;
  readonly rule: readonly SentencePart[];
  readonly tone: 'solid' | 'plain' | 'danger';
  /** Can't be undone: two key presses, or a hold on a touch screen. */
  readonly isGrave?: true;
}

/** Answers that go to several open requests at once. */
export interface AlikeRequests {
  readonly count: number;
  /** What they have in common: "edit requests of this session". */
  readonly words: string;
  readonly allow: () => void;
}

/** What the answers depend on. */
interface ChoiceFacts {
  readonly risk: number;
  readonly isOwner: boolean;
  /** What can't be undone: "it", or the parts of a command by number. */
  readonly grave: string;
}

/** How far an answer reaches, without its verb. */
export function scopeOf({ key, label }: AnswerChoice): string {
  return key === 'y' ? 'Once' : key === 's' ? 'This session' : key === 'a' ? 'Always in this project' : label;
}

type Approval = Extract<QuestionSubject, { type: 'approval' }>;

export function answerChoices(
  about: QuestionSubject,
  { risk, isOwner, grave }: ChoiceFacts,
): readonly AnswerChoice[] {
  switch (about.type) {
    case 'approval':
      return approvalChoices(about, { risk, isOwner, grave });
    case 'repeat':
      return [once('Run again', [{ text: 'Runs it a second time. Saves no rule.' }]), deny(undefined)];
    case 'reply-review':
      return [once('Approve', [{ text: 'Ends the turn.' }]), deny(undefined)];
    case 'form':
      return about.url === undefined
        ? []
        : [once('Done', [{ text: 'Confirms that you finished there.' }]), deny(undefined)];
    case 'clarification':
      return [];
  }
}

function approvalChoices(about: Approval, { risk, isOwner, grave }: ChoiceFacts): readonly AnswerChoice[] {
  const isGrave = risk === 3;
  const pressTwice = isGrave ? ({ isGrave: true } as const) : {};
  const allowed = about.options?.find(({ kind }) => kind === 'allow-once');
  const count = about.parts ?? 1;
  const runs = count > 1 ? `${runsAll(count)} ` : '';
  const twice = isGrave ? ` Press Y twice: ${grave} can’t be undone.` : '';
  const given =
    about.options === undefined
      ? `${runs}Saves no rule.`
      : `Agent option “${visibleLine(allowed?.name ?? 'Allow')}”. Saves no rule.`;
  const rules = (detail: 'short' | 'whole'): readonly SentencePart[] =>
    about.grants.flatMap((grant, index) => {
      const meaning = visibleLine(grantMeaning(grant, detail));
      return [
        ...(index > 0 ? [{ text: ' ' }] : []),
        { text: visibleLine(grant), isCode: true as const },
        ...(meaning === '' ? [] : [{ text: ` (${meaning})` }]),
      ];
    });
  const lasting = about.options?.filter(({ kind }) => kind.endsWith('-always')) ?? [];
  return [
    {
      ...once('Allow once', [{ text: `${given}${twice}` }]),
      ...(allowed !== undefined && { answer: { option: allowed.id } }),
      tone: isGrave ? 'plain' : 'solid',
      ...pressTwice,
    },
    ...(about.grants.length === 0
      ? []
      : [
          {
            key: 's',
            label: 'Allow this session',
            answer: { choice: 'allow-session' },
            rule: [...rules('short'), { text: ' until the session ends' }],
            tone: 'plain',
            ...pressTwice,
          } as const,
        ]),
    // An irreversible call never gets a permanent rule.
    ...(about.grants.length === 0 || isGrave || !isOwner
      ? []
      : [
          {
            key: 'a',
            label: 'Always allow',
            answer: { choice: 'allow-always' },
            rule: [...rules('whole'), { text: ' in this project' }],
            tone: 'plain',
          } as const,
        ]),
    ...lasting.map(
      ({ id, name, kind }) =>
        ({
          key: '',
          label: `Agent: ${visibleLine(name)}`,
          answer: { option: id },
          rule: [{ text: 'The agent’s own option. It stops asking; Rondo saves no rule.' }],
          tone: kind.startsWith('reject') ? 'danger' : 'plain',
        }) as const,
    ),
    deny(about.options?.find(({ kind }) => kind === 'reject-once')),
  ];
}

function once(label: string, rule: readonly SentencePart[]): AnswerChoice {
  return { key: 'y', label, answer: { choice: 'allow-once' }, rule, tone: 'solid' };
}

function deny(option: { readonly id: string; readonly name: string } | undefined): AnswerChoice {
  const text = option === undefined ? 'Tells the agent no.' : `Agent option “${visibleLine(option.name)}”.`;
  const answer: WireAnswer = option === undefined ? { choice: 'reject' } : { option: option.id };
  return { key: 'n', label: 'Deny', answer, rule: [{ text }], tone: 'danger' };
}
