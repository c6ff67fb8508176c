import { previewOf } from '../../../src/kernel/content.ts';
import { settingText } from '../../../src/views/agent-setting-text.ts';
import { oneLine } from '../../../src/views/one-line.ts';
import type { EndingItem, NoticeItem, WorkerItem } from '../../../src/views/transcript-item.ts';
import { clockText } from '../look/time-words.ts';

export function noticeText({ about, by }: NoticeItem): string {
  switch (about.type) {
    case 'agent-changed':
      return `${by.name} handed over to ${about.agent}${about.model === undefined ? '' : ` (${about.model})`}`;
    case 'mode-changed':
      return `${by.name} set the mode to ${about.mode}`;
    case 'agent-setting-chosen':
      return `${by.name} chose ${settingText(about.setting)}`;
    case 'policy-changed':
      return `${by.name} changed the rules: ${about.rules.length === 0 ? 'none left' : `${about.rules.length} now`}`;
    case 'limits-changed':
      return `${by.name} changed the limits: ${Object.entries(about.limits)
        .map(([name, value]) => `${name} ${value}`)
        .join(', ')}`;
    case 'recovered':
      return 'Taken up again after its process had gone';
    case 'waiting':
      return about.endedAt === undefined
        ? `${waitWords(about.why)} until ${clockText(about.until)}`
        : `${waitWords(about.why)}; it went on at ${clockText(about.endedAt)}`;
    case 'interrupted':
      return `${by.name} stopped the turn`;
    case 'limit-neared':
      return `Most of its limit of ${about.name} is used: ${about.used} of ${about.limit}`;
    case 'verdict-reached':
      return `${about.verdict === 'stuck' ? 'It seems stuck' : 'It goes in circles'}: ${about.evidence}`;
    case 'agent-notice':
      return about.text;
    case 'compacted':
      return compactedText(about.outcome, about.message);
    case 'imported':
      return 'Imported. The messages above come from a file and are untrusted';
    case 'continued':
      return `${by.name} continued the session in ${about.cwd} with ${about.agent}`;
    case 'forked':
      return `Forked from ${about.origin} at event ${about.at}`;
    case 'rewound':
      return `${by.name} went back to event ${about.to}`;
    case 'files-restored':
      return `Files are again as they were at event ${about.to}`;
    case 'restore-failed':
      return `Restoring files failed: ${about.message}`;
    case 'closed':
      return about.reason === undefined ? 'The session ended' : `The session ended: ${about.reason}`;
  }
}

export function endingText({ ending }: EndingItem): string {
  switch (ending.type) {
    case 'completed':
      return 'Done';
    case 'cancelled':
      return ending.reason === undefined ? 'Stopped' : `Stopped: ${ending.reason}`;
    case 'timed-out':
      return ending.message;
    case 'failed':
      return `${ending.message} (${ending.code})`;
  }
}

export function workerText({ worker, state, text }: WorkerItem): string {
  const said = text === undefined ? '' : `: ${oneLine(previewOf(text))}`;
  return `Worker ${worker.replace(/^wrk_/, '')} ${state}${said}`;
}

function waitWords(why: string): string {
  return why === 'provider-reset' ? 'Waiting for the provider' : 'Pausing after an error';
}

type Compacted = Extract<NoticeItem['about'], { type: 'compacted' }>['outcome'];

function compactedText(outcome: Compacted, message: string | undefined): string {
  const said = message === undefined ? '' : `: ${message}`;
  switch (outcome) {
    case 'completed':
      return 'What came before was summed up for the model';
    case 'left-out':
      return 'What came before is no longer told to the model';
    case 'unneeded':
      return 'There was nothing to sum up';
    case 'failed':
      return `Summing up failed${said}`;
    case 'cancelled':
      return 'Summing up was stopped';
  }
}
