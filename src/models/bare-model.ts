/**
 * The model that this folder's wrappers decorate. Unlike a plain Model, it can reply without streaming, report
 * activity, and mark failures that are worth retrying. Every Model is a BareModel; callers receive a wrapped one as
 * a Model.
 */
import type { ModelRequest, ModelResult, ModelSink } from '../ports/model.ts';

export interface BareModel {
  readonly name: string;
  call(request: BareRequest, sink: BareSink, signal: AbortSignal): Promise<BareResult>;
}

export interface BareRequest extends ModelRequest {
  /** False: don't stream. */
  readonly streaming?: boolean;
}

export interface BareSink extends ModelSink {
  /** Any activity, including data that isn't a delta: a ping, a piece of a tool call's arguments. */
  alive?(): void;
}

export type BareResult = ModelResult & {
  /** The failure came after the reply began. */
  readonly stage?: 'stream';
  /** All immediate retries are used up. */
  readonly spent?: true;
};

export type BareFailure = Extract<BareResult, { type: 'failed' }>;

/** The result in the port's form. */
export function toPortResult(result: BareResult): ModelResult {
  const { stage: _stage, spent: _spent, ...rest } = result;
  return rest;
}
