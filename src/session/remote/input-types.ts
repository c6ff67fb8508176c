import type { InputBody } from '../../kernel/input.ts';

/** True if another process may send an input of this type. Effects and recovery belong to the owner. */
const mayBeSent: Readonly<Record<InputBody['type'], boolean>> = {
  'session-requested': false,
  'prompt-received': true,
  'task-received': true,
  'compaction-requested': true,
  'queue-changed': true,
  'question-answered': true,
  interrupted: true,
  'retry-requested': true,
  'agent-changed': true,
  'agent-setting-chosen': true,
  'title-changed': true,
  'mode-changed': true,
  'policy-changed': true,
  'limits-changed': true,
  'worker-reported': true,
  'verdict-reached': true,
  closed: true,
  rewound: true,
  'checkpoint-taken': true,
  'restore-requested': true,
  'restore-prepared': false,
  'restore-settled': false,
  'model-settled': false,
  'prompt-understood': false,
  'tool-settled': false,
  'tool-asked': false,
  'job-settled': false,
  'agent-reported': false,
  'agent-asked': false,
  'agent-withdrew': false,
  'agent-turn-settled': false,
  'agent-setting-settled': false,
  'summary-settled': false,
  'time-reached': false,
  'session-recovered': false,
  'files-saved': false,
  'place-moved': false,
  'push-settled': false,
  'session-imported': false,
  'session-continued': true,
};

export function isInputType(type: string): type is InputBody['type'] {
  return Object.hasOwn(mayBeSent, type) && mayBeSent[type as InputBody['type']];
}
