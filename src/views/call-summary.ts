// A call in one line, for lists, toasts, notifications and the audit (S14). The most dangerous part comes first,
// with the number of parts, and neither padding nor length hides anything.
import { callSets, isCallSet, type CallSet } from '../kernel/call-set.ts';
import { effectMeanings } from '../kernel/effect.ts';
import { parseRule } from '../kernel/rule.ts';
import { namedPart } from './covering-rule.ts';
import { mainArgument } from './main-argument.ts';
import { oneLineWithEnd } from './one-line.ts';
import type { OpenQuestion } from './open-question.ts';
import { partsOf, worstPart } from './part-risk.ts';

/** The part that a question asks to allow: `rm -rf dist/old (1 of 3 parts)`. */
export function approvalPart(question: Pick<OpenQuestion, 'about' | 'facts' | 'allowedBy'>): string {
  const { about, facts } = question;
  if (about.type !== 'approval') return '';
  const parts = partsOf(facts).length;
  const named = parts > 1 ? namedPart(question)?.text : about.unit;
  return named === undefined ? '' : withCount(named, parts > 0 ? parts : (about.parts ?? 1));
}

/** A call that runs: the whole command, or its main argument. */
export function callText(args: string): string {
  return oneLineWithEnd(mainArgument(args));
}

/** What a call does: its most dangerous part, or its main argument. */
export function callPart(args: string, facts?: OpenQuestion['facts']): string {
  const parts = partsOf(facts);
  if (parts.length < 2) return callText(args);
  return withCount(worstPart(parts)?.text ?? '', parts.length);
}

function withCount(text: string, parts: number): string {
  return `${oneLineWithEnd(text)}${parts > 1 ? ` (1 of ${parts} parts)` : ''}`;
}

/**
 * The exact grants that "for this session" and "always" save, as text. Every front end shows it before the choice.
 * `whole` lists every kind of call that a set covers: what is saved for a project needs that.
 */
export function grantsText(grants: readonly string[], detail: 'short' | 'whole' = 'short'): string {
  return grants.map((grant) => grantText(grant, detail)).join('; ');
}

function grantText(text: string, detail: 'short' | 'whole'): string {
  const meaning = grantMeaning(text, detail);
  return meaning === '' ? text : `${text} (${meaning})`;
}

/** What a grant covers in words, or nothing if its text shows that already. */
export function grantMeaning(text: string, detail: 'short' | 'whole'): string {
  const grant = parseRule(text, 'allow', 'session');
  if (grant?.effect === undefined) return '';
  const { risk, words } = effectMeanings[grant.effect];
  const bounds = [
    ...(risk === 'neutral' ? [] : [words]),
    ...(grant.pin === undefined ? [] : ['only while its script stays as it is']),
  ].join(', ');
  const set = isCallSet(grant.tool) ? setWords(grant.tool, detail) : '';
  return [set, bounds].filter(Boolean).join('; ');
}

function setWords(name: CallSet, detail: 'short' | 'whole'): string {
  const { words, covers } = callSets[name];
  return detail === 'short' ? words : `${words}: ${covers}`;
}
