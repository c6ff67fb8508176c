import { settingText } from '../views/agent-setting-text.ts';
import { oneLine } from '../views/one-line.ts';
import { presetNames, presetOf } from '../views/rule-preset.ts';
import type { Notice } from '../views/transcript-item.ts';
import { clockText } from './clock.ts';
import { limitsText } from './limits.ts';

/** A change, a wait or a finding. Names `by` if a person caused it. */
export function noticeText(about: Notice, by?: { readonly name: string }): string {
  const byName = by === undefined ? '' : ` by ${by.name}`;
  switch (about.type) {
    case 'agent-changed':
      return `Agent set to ${about.agent}${about.model === undefined ? '' : ` (${about.model})`}${byName}`;
    case 'mode-changed':
      return `Mode set to ${about.mode}${byName}`;
    case 'agent-setting-chosen':
      return `Agent asked for ${settingText(about.setting)}${byName}`;
    case 'policy-changed': {
      const preset = presetOf(about.rules);
      if (preset !== 'ask' || about.rules.length === 0) return `Mode: ${presetNames[preset]}${byName}`;
      return `Rules changed${byName}: ${about.rules.length} now`;
    }
    case 'limits-changed':
      return `Limits changed${byName}: ${limitsText(about.limits)}`;
    case 'limit-neared':
      return `Limit near: ${about.used} of ${about.limit} ${about.name} used`;
    case 'verdict-reached':
      return `${about.verdict === 'stuck' ? 'Stuck' : 'Going in circles'}: ${about.evidence}`;
    case 'agent-notice':
      return `${about.severity === 'info' ? '' : `${about.severity}: `}${oneLine(about.text)}`;
    case 'recovered':
      return 'Resumed after a restart';
    case 'waiting': {
      const what = about.why === 'provider-reset' ? 'for the provider' : 'after an error';
      return about.endedAt === undefined
        ? `Waiting ${what} until ${clockText(about.until)}`
        : `Waited ${what} until ${clockText(about.endedAt)}`;
    }
    case 'compacted':
      return compactedText(about);
    case 'imported':
      return `Imported (was ${about.session}). The messages above come from a file and are untrusted`;
    case 'continued':
      return `Continued in ${about.cwd} with ${about.agent}${byName}`;
    case 'forked':
      return `Forked from ${about.origin} at event ${about.at}`;
    case 'rewound':
      return `Rewound to event ${about.to}${byName}`;
    case 'files-restored':
      return `Files restored to event ${about.to}`;
    case 'restore-failed':
      return `Files not restored: ${oneLine(about.message)}`;
    case 'place-moved':
      return movedText(about, byName);
    case 'push-settled':
      return pushText(about);
    case 'interrupted':
      return `Turn stopped${byName}`;
    case 'closed':
      return `Session ended${about.reason === undefined ? '' : `: ${about.reason}`}`;
  }
}

function pushText({ branch, commit, problem }: Extract<Notice, { type: 'push-settled' }>): string {
  if (commit === undefined) return `Branch ${branch} not pushed: ${oneLine(problem ?? 'unknown problem')}`;
  const pushed = `Pushed branch ${branch} at ${commit.slice(0, 10)}`;
  return problem === undefined ? pushed : `${pushed}. ${oneLine(problem)}`;
}

function movedText(
  { isFork, cwd, machine, missing }: Extract<Notice, { type: 'place-moved' }>,
  byName: string,
): string {
  if (machine !== undefined)
    return `Continued in ${cwd} on ${machine}${byName}. Left behind: ${oneLine(missing.join('; '))}`;
  if (missing.length === 0) return isFork === true ? 'Cloned for this fork' : 'Begins on another machine';
  const how = isFork === true ? 'Cloned for this fork' : 'Moved to another machine';
  return `${how}, with the files saved last. May be missing: ${oneLine(missing.join('; '))}`;
}

function compactedText({ outcome, message }: Extract<Notice, { type: 'compacted' }>): string {
  switch (outcome) {
    case 'completed':
      return 'Earlier messages summarized';
    case 'left-out':
      return `Earlier messages left out without a summary: ${message ?? 'the summary failed'}`;
    case 'unneeded':
      return message ?? 'Nothing to summarize';
    case 'failed':
      return message ?? 'The summary failed';
    case 'cancelled':
      return 'The summary was cancelled';
  }
}
