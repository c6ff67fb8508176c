import type { BootTime, Time } from './time.ts';
import type { AgentAnswer } from './agent-request.ts';
import type { AgentSetting } from './agent-setting.ts';
import type { Call } from './call.ts';
import type { FileCheckpoint } from './checkpoint.ts';
import type { Body } from './content.ts';
import type { CompactionReason } from './context.ts';
import type { EffectId } from './ids.ts';
import type { Question } from './question.ts';

/**
 * Something the session wants done. It is carried out only after the events of its transition are on disk. The
 * result comes back as an input with the same effect and attempt.
 */
export type Decision =
  | {
      readonly type: 'call-model';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly maxOutputTokens?: number;
    }
  | { readonly type: 'understand'; readonly effect: EffectId; readonly attempt: number }
  | { readonly type: 'run-tool'; readonly effect: EffectId; readonly attempt: number; readonly call: Call }
  | { readonly type: 'ask'; readonly question: Question }
  | {
      readonly type: 'prompt-agent';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly prompts: readonly number[];
    }
  /** Answers the agent's request of this attempt. */
  | {
      readonly type: 'answer-agent';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly key: string;
      readonly answer: AgentAnswer;
    }
  /** Answers the question of a running tool. */
  | {
      readonly type: 'answer-tool';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly key: string;
      readonly answer: AgentAnswer;
    }
  /** For a running agent; a stopped one gets it when it starts. */
  | { readonly type: 'set-agent'; readonly effect: EffectId; readonly setting: AgentSetting }
  | { readonly type: 'start-job'; readonly effect: EffectId; readonly attempt: number; readonly call: Call }
  | {
      readonly type: 'summarise';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly why: CompactionReason;
      readonly keep?: Body;
    }
  /** Without `before`, takes the checkpoint and changes nothing. */
  | {
      readonly type: 'restore-files';
      readonly effect: EffectId;
      readonly attempt: number;
      readonly checkpoint: FileCheckpoint;
      readonly before?: FileCheckpoint;
    }
  | { readonly type: 'wait-until'; readonly effect: EffectId; readonly until: Time; readonly due?: BootTime }
  | { readonly type: 'cancel'; readonly effect: EffectId; readonly graceMs: number };
