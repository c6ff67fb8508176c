/** Decisions as text that follows the name of the person or agent who decided. */
import { optional } from '../../../src/kernel/optional.ts';
import { answeredText } from '../../../src/wording/answer.ts';
import { effectText } from '../../../src/wording/effect-sentence.ts';
import { limitsText } from '../../../src/wording/limits.ts';
import { settingText } from '../../../src/views/agent-setting-text.ts';
import type { AuditEntry } from '../../../src/views/audit.ts';

interface AuditLine {
  readonly words: string;
  /** The effect, or what changed. */
  readonly detail?: string;
  readonly rule?: string;
  readonly tone: 'plain' | 'good' | 'bad' | 'warn';
}

export function auditLine({ decided }: Pick<AuditEntry, 'decided'>): AuditLine {
  switch (decided.type) {
    case 'session-created':
      return plain(`started the session with ${decided.agent.name} (${decided.mode})`);
    case 'question-answered': {
      const asked = decided.about === undefined ? {} : { detail: effectText(decided.about) };
      const isNo = decided.answer.type === 'reject';
      return { words: lowered(answeredText(decided.answer)), ...asked, tone: isNo ? 'bad' : 'good' };
    }
    case 'question-closed':
      return {
        words: `left a question: ${decided.reason}`,
        ...(decided.about !== undefined && { detail: effectText(decided.about) }),
        tone: 'warn',
      };
    case 'call-allowed':
      return {
        words: `allowed ${decided.tool}`,
        ...optional({ detail: decided.part }),
        ...ruleOf(decided.rule),
        tone: 'plain',
      };
    case 'call-refused':
      return {
        words: `refused ${decided.tool}: ${decided.reason}`,
        ...optional({ detail: decided.part }),
        ...ruleOf(decided.rule),
        tone: 'bad',
      };
    case 'agent-changed':
      return plain(`switched to ${decided.agent.name}`);
    case 'mode-changed':
      return plain(`set the mode to ${decided.mode}`);
    case 'agent-setting-chosen':
      return { words: `chose ${settingText(decided.setting)} of the agent`, tone: 'warn' };
    case 'policy-changed':
      return { words: `changed the rules (${decided.rules.length})`, tone: 'warn' };
    case 'limits-changed':
      return { words: 'changed the limits', detail: limitsText(decided.limits), tone: 'warn' };
    case 'turn-stopped':
      return { words: `stopped the turn: ${decided.ending.type}`, tone: 'bad' };
    case 'recovered':
      return plain('resumed the session after a restart');
    case 'repeated':
      return plain(`ran ${decided.effect} again, attempt ${decided.attempt}`);
    case 'closed':
      return plain('ended the session');
    case 'unsupervised':
      return { words: `reported: ${decided.title ?? decided.call}`, tone: 'warn' };
    default:
      return plain(decided.type.replaceAll('-', ' '));
  }
}

function lowered(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function plain(words: string): AuditLine {
  return { words, tone: 'plain' };
}

function ruleOf(rule: string | undefined): { readonly rule?: string } {
  return optional({ rule });
}

type Decision = Pick<AuditEntry, 'decided' | 'seq'> & { readonly session: string };

/** Leaves out verdicts that only repeat what a person answered. Newest first, as they come. */
export function withoutRepeats<Entry extends Decision>(entries: readonly Entry[]): readonly Entry[] {
  const answered = new Set<string>();
  const repeats = new Set<Entry>();
  for (const entry of entries.toSorted((a, b) => a.seq - b.seq)) {
    const { decided, session } = entry;
    if (decided.type === 'question-answered' && decided.about?.type === 'approval')
      answered.add(`${session} ${decided.about.call}`);
    else if (decided.type === 'call-allowed' || decided.type === 'call-refused') {
      if (answered.delete(`${session} ${decided.call}`)) repeats.add(entry);
    }
  }
  return entries.filter((entry) => !repeats.has(entry));
}
