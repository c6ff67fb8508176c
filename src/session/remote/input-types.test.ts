import { expect, test } from 'vitest';

import { isInputType } from './input-types.ts';

test('[P2] another process may send what people and programs do, and never how an effect of the owner ended', () => {
  const sent = ['prompt-received', 'task-received', 'compaction-requested', 'queue-changed', 'question-answered']
    .concat([
      'interrupted',
      'retry-requested',
      'agent-changed',
      'agent-setting-chosen',
      'title-changed',
      'mode-changed',
      'policy-changed',
    ])
    .concat(['limits-changed', 'worker-reported', 'verdict-reached', 'closed', 'rewound', 'checkpoint-taken'])
    .concat(['restore-requested', 'session-continued']);
  const kept = ['session-requested', 'restore-prepared', 'restore-settled', 'model-settled', 'prompt-understood']
    .concat(['tool-settled', 'job-settled', 'agent-reported', 'agent-asked', 'agent-withdrew'])
    .concat(['agent-turn-settled', 'agent-setting-settled', 'summary-settled', 'time-reached'])
    .concat(['session-recovered', 'session-imported', 'of-tomorrow', 'toString']);
  expect(sent.filter((type) => !isInputType(type))).toEqual([]);
  expect(kept.filter(isInputType)).toEqual([]);
});
