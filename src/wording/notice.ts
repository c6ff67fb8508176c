import { settingText } from '../views/agent-setting-text.ts';
import { endingText } from './ending.ts';
import { oneLine } from '../views/one-line.ts';
import type { Notice } from '../views/transcript-item.ts';

/** What changed, was waited for or came to light, in words. */
export function noticeText(about: Notice): string {
  switch (about.type) {
    case 'agent-changed':
      return `the agent is ${about.agent} now`;
    case 'mode-changed':
      return `the mode is ${about.mode} now`;
    case 'agent-setting-chosen':
      return `the agent is asked for ${settingText(about.setting)}`;
    case 'policy-changed':
      return `the policy has ${about.rules.length} rules now`;
    case 'limits-changed':
      return `limits changed: ${JSON.stringify(about.limits)}`;
    case 'limit-neared':
      return `${about.used} of the limit of ${about.limit} in ${about.name} are used; the model was told`;
    case 'verdict-reached':
      return `${about.verdict}: ${about.evidence}`;
    case 'agent-notice':
      return `${about.severity === 'info' ? '' : `${about.severity}: `}${oneLine(about.text)}`;
    case 'recovered':
      return 'recovered after its process had stopped';
    case 'waiting':
      return `${about.why === 'provider-reset' ? 'waiting for the provider' : 'pausing after an error'} until ${new Date(about.until).toISOString()}`;
    case 'compacted':
      return compactedText(about);
    case 'imported':
      return `imported; was ${about.session} where it was exported`;
    case 'continued':
      return `continued in ${about.cwd} with agent ${about.agent}`;
    case 'forked':
      return `forked from ${about.origin} at event ${about.at}`;
    case 'rewound':
      return `the conversation goes on from event ${about.to}`;
    case 'files-restored':
      return `files are as they were at event ${about.to}`;
    case 'restore-failed':
      return `files were not restored: ${oneLine(about.message)}`;
    case 'interrupted':
      return `interrupted: ${endingText(about.ending)}`;
    case 'closed':
      return about.reason === undefined ? 'closed' : `closed: ${about.reason}`;
  }
}

function compactedText({ outcome, message }: Extract<Notice, { type: 'compacted' }>): string {
  switch (outcome) {
    case 'completed':
      return 'the older part of the conversation was summed up';
    case 'left-out':
      return `the older part of the conversation was left out without a summary: ${message ?? 'it failed'}`;
    case 'failed':
    case 'unneeded':
    case 'cancelled':
      return message ?? 'the conversation was not summed up';
  }
}
