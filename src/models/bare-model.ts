/**
 * What the wrappers of this folder stand around: a Model that can also be asked for its reply in one
 * piece, that says when it is alive, and whose failures say what is still worth trying. Every Model
 * is a BareModel; a wrapped one is handed out as a Model.
 */
import type { ModelRequest, ModelResult, ModelSink } from '../runtime/model.ts';

export interface BareModel {
  readonly name: string;
  call(request: BareRequest, sink: BareSink, signal: AbortSignal): Promise<BareResult>;
}

export interface BareRequest extends ModelRequest {
  /** False: the reply comes in one piece. */
  readonly streaming?: boolean;
}

export interface BareSink extends ModelSink {
  /** Something arrived, also what is no delta: a ping, a piece of a tool call's arguments. */
  alive?(): void;
}

export type BareResult = ModelResult & {
  /** A failure after the reply had begun to arrive. */
  readonly stage?: 'stream';
  /** What could be tried at once has been tried. */
  readonly spent?: true;
};

export type BareFailure = Extract<BareResult, { type: 'failed' }>;

/** The result as the port knows it. */
export function toPortResult(result: BareResult): ModelResult {
  const { stage: _stage, spent: _spent, ...rest } = result;
  return rest;
}
