import { decideAgentAsked, decideAgentReport, decideAgentSettled, decideAgentWithdrew } from './decide-agent.ts';
import { decideAgentSetting, decideSettingSettled } from './decide-agent-setting.ts';
import { decideCancel, decideClosed } from './decide-cancel.ts';
import { decideSummarySettled } from './decide-compaction.ts';
import { decideContinued, decideImported } from './decide-imported.ts';
import { decidePrompt, decideQueueChange } from './decide-prompt.ts';
import { decideAnswer } from './decide-question.ts';
import { decideRecovery } from './decide-recovery.ts';
import { decideReport, decideVerdict } from './decide-report.ts';
import { decideRestore, decideRestorePrepared, decideRestoreSettled } from './decide-restore.ts';
import { decideRewind } from './decide-rewind.ts';
import { decideCallSettled, decideModelSettled } from './decide-settled.ts';
import { decideToolAsked } from './decide-tool-asked.ts';
import { decideRetry, decideTime } from './decide-time.ts';
import { decideUnderstood } from './decide-understood.ts';
import { emit, type Draft, type Refusal } from './draft.ts';
import { foreignProblem } from '../imported.ts';

/** Applies the input. `advance` decides what follows. */
export function decide(draft: Draft): Refusal | undefined {
  const { input, state } = draft;
  if (state.phase.type === 'new' && input.type !== 'session-requested') {
    return { code: 'not-found', message: `session ${state.id} has not been created` };
  }
  const foreign = foreignProblem(state, input);
  if (foreign !== undefined) return foreign;
  switch (input.type) {
    case 'session-requested': {
      if (state.phase.type !== 'new') return { code: 'conflict', message: `session ${state.id} exists already` };
      const { at: _at, by: _by, type: _type, origin, ...setup } = input;
      if (origin === undefined) emit(draft, { type: 'session-created', ...setup });
      else emit(draft, { type: 'session-forked', origin, ...setup });
      return undefined;
    }
    case 'prompt-received':
    case 'task-received':
    case 'compaction-requested':
      return decidePrompt(draft, input);
    case 'queue-changed':
      return decideQueueChange(draft, input.change);
    case 'question-answered':
      return decideAnswer(draft, input);
    case 'interrupted':
      return decideCancel(draft, input.reason);
    case 'retry-requested':
      return decideRetry(draft);
    case 'closed':
      return decideClosed(draft, input.reason);
    case 'agent-setting-chosen':
      return decideAgentSetting(draft, input.setting);
    case 'agent-setting-settled':
      return decideSettingSettled(draft, input);
    case 'agent-changed':
    case 'title-changed':
    case 'mode-changed':
    case 'policy-changed':
    case 'limits-changed':
      return decideChange(draft, input);
    case 'worker-reported':
      return decideReport(draft, input.report);
    case 'verdict-reached':
      return decideVerdict(draft, input.verdict);
    case 'model-settled':
      return decideModelSettled(draft, input);
    case 'prompt-understood':
      return decideUnderstood(draft, input);
    case 'tool-settled':
    case 'job-settled':
      return decideCallSettled(draft, input);
    case 'tool-asked':
      return decideToolAsked(draft, input);
    case 'agent-reported':
      return decideAgentReport(draft, input);
    case 'agent-asked':
      return decideAgentAsked(draft, input);
    case 'agent-withdrew':
      return decideAgentWithdrew(draft, input);
    case 'agent-turn-settled':
      return decideAgentSettled(draft, input);
    case 'summary-settled':
      return decideSummarySettled(draft, input);
    case 'rewound':
    case 'checkpoint-taken':
      return decideRewind(draft, input);
    case 'restore-requested':
      return decideRestore(draft, input);
    case 'restore-prepared':
      return decideRestorePrepared(draft, input);
    case 'restore-settled':
      return decideRestoreSettled(draft, input);
    case 'time-reached':
      return decideTime(draft, input.effect);
    case 'session-recovered':
      return decideRecovery(draft, input);
    case 'files-saved':
    case 'place-moved':
    case 'push-settled':
      return decidePlace(draft, input);
    case 'session-imported':
      return decideImported(draft, input);
    case 'session-continued':
      return decideContinued(draft, input);
  }
}

type ChangeInput = Extract<
  Draft['input'],
  { type: 'agent-changed' | 'title-changed' | 'mode-changed' | 'policy-changed' | 'limits-changed' }
>;

/** A running turn keeps its agent. Mode, policy and limits apply from its next decision. */
function decideChange(draft: Draft, input: ChangeInput): Refusal | undefined {
  if (draft.state.phase.type === 'closed') return closedRefusal(draft);
  const { at: _at, by: _by, ...event } = input;
  emit(draft, event);
  return undefined;
}

type PlaceInput = Extract<Draft['input'], { type: 'files-saved' | 'place-moved' | 'push-settled' }>;

/** Facts about the repository's clone, recorded in every phase: a closed session may be saved last. */
function decidePlace(draft: Draft, input: PlaceInput): Refusal | undefined {
  const { at: _at, by: _by, bootTime: _bootTime, ...event } = input;
  const isOfFolder = event.type === 'place-moved' && event.machine !== undefined;
  if (draft.state.place !== undefined || isOfFolder) emit(draft, event);
  return undefined;
}

function closedRefusal(draft: Draft): Refusal {
  return { code: 'closed', message: `session ${draft.state.id} is closed; fork it to continue` };
}
