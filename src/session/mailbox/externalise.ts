import type { Call } from '../../kernel/call.ts';
import type { Body } from '../../kernel/content.ts';
import type { BlobHash } from '../../kernel/ids.ts';
import type { InputBody, ModelOutcome } from '../../kernel/input.ts';
import type { ToolResult } from '../../kernel/outcome.ts';
import type { AgentReport } from '../../kernel/report.ts';

/** Stores content and returns its hash. */
export type PutContent = (content: string) => Promise<BlobHash>;

/** Longer content is stored as a blob. Events carry its hash and its beginning. */
const longestInline = 4096;
const previewLength = 1024;

/** Returns the input itself if nothing in it is long, so that the usual case needs no promise. */
export function externalise(input: InputBody, put: PutContent): InputBody | Promise<InputBody> {
  switch (input.type) {
    case 'prompt-received': {
      const isLong =
        isLongBody(input.text) || input.attachments?.some((file) => isLongBody(file.content)) === true;
      return isLong ? externalPrompt(input, put) : input;
    }
    case 'queue-changed': {
      const { change } = input;
      if (change.type !== 'edited' || !isLongBody(change.text)) return input;
      return external(change.text, put).then((text) => ({ ...input, change: { ...change, text } }));
    }
    case 'task-received':
      return input.calls.some((call) => isLongBody(call.args))
        ? externalCalls(input.calls, put).then((calls) => ({ ...input, calls }))
        : input;
    case 'question-answered': {
      const { answer } = input;
      if (answer.type !== 'allow-edited' || !isLongBody(answer.args)) return input;
      return external(answer.args, put).then((args) => ({ ...input, answer: { ...answer, args } }));
    }
    case 'compaction-requested':
      return isLongBody(input.keep) ? external(input.keep ?? '', put).then((keep) => ({ ...input, keep })) : input;
    case 'summary-settled': {
      const { outcome } = input;
      if (outcome.type !== 'completed' || !isLongBody(outcome.summary)) return input;
      return external(outcome.summary, put).then((summary) => ({ ...input, outcome: { ...outcome, summary } }));
    }
    case 'restore-settled': {
      const { outcome } = input;
      if (outcome.type !== 'restored' || !isLongBody(outcome.changed)) return input;
      return external(outcome.changed, put).then((changed) => ({ ...input, outcome: { ...outcome, changed } }));
    }
    case 'model-settled':
      return isLongOutcome(input.outcome)
        ? externalOutcome(input.outcome, put).then((outcome) => ({ ...input, outcome }))
        : input;
    case 'tool-settled':
      return isLongResult(input.result) || input.followUps?.some(({ args }) => isLongBody(args)) === true
        ? externalSettled(input, put)
        : input;
    case 'job-settled':
      return isLongResult(input.result)
        ? externalResult(input.result, put).then((result) => ({ ...input, result }))
        : input;
    case 'agent-reported':
      return isLongReport(input.report)
        ? externalReport(input.report, put).then((report) => ({ ...input, report }))
        : input;
    case 'agent-asked': {
      const { request } = input;
      if (request.type !== 'permission' || !isLongBody(request.call.args)) return input;
      return externalCalls([request.call], put).then(([call = request.call]) => ({
        ...input,
        request: { ...request, call },
      }));
    }
    default:
      return input;
  }
}

async function external(body: Body, put: PutContent): Promise<Body> {
  if (typeof body !== 'string' || body.length <= longestInline) return body;
  return { blob: await put(body), length: body.length, preview: body.slice(0, previewLength) };
}

async function externalPrompt(
  input: Extract<InputBody, { type: 'prompt-received' }>,
  put: PutContent,
): Promise<InputBody> {
  const { attachments } = input;
  const text = await external(input.text, put);
  if (attachments === undefined) return { ...input, text };
  const files = attachments.map(async (file) => ({ ...file, content: await external(file.content, put) }));
  return { ...input, text, attachments: await Promise.all(files) };
}

async function externalCalls(calls: readonly Call[], put: PutContent): Promise<readonly Call[]> {
  return Promise.all(calls.map(async (call) => ({ ...call, args: await external(call.args, put) })));
}

async function externalOutcome(outcome: ModelOutcome, put: PutContent): Promise<ModelOutcome> {
  if (outcome.type !== 'completed') {
    return outcome.partial === undefined ? outcome : { ...outcome, partial: await external(outcome.partial, put) };
  }
  const { reasoning } = outcome;
  return {
    ...outcome,
    text: await external(outcome.text, put),
    ...(reasoning !== undefined && { reasoning: await external(reasoning, put) }),
    calls: await externalCalls(outcome.calls, put),
  };
}

async function externalReport(report: AgentReport, put: PutContent): Promise<AgentReport> {
  if (report.type === 'message' || report.type === 'thought') {
    return { ...report, text: await external(report.text, put) };
  }
  if (report.type !== 'tool-call') return report;
  const { content, diffs } = report;
  const files = diffs?.map(async ({ path, before, after }) => ({
    path,
    ...(before !== undefined && { before: await external(before, put) }),
    after: await external(after, put),
  }));
  return {
    ...report,
    ...(content !== undefined && { content: await external(content, put) }),
    ...(files !== undefined && { diffs: await Promise.all(files) }),
  };
}

async function externalSettled(
  input: Extract<InputBody, { type: 'tool-settled' }>,
  put: PutContent,
): Promise<InputBody> {
  const { followUps } = input;
  const result = await externalResult(input.result, put);
  return { ...input, result, ...(followUps !== undefined && { followUps: await externalCalls(followUps, put) }) };
}

async function externalResult(result: ToolResult, put: PutContent): Promise<ToolResult> {
  switch (result.type) {
    case 'success':
      return { ...result, output: await external(result.output, put) };
    case 'error':
      return { ...result, message: await external(result.message, put) };
    case 'cancelled':
      return result.output === undefined ? result : { ...result, output: await external(result.output, put) };
  }
}

function isLongBody(body: Body | undefined): boolean {
  return typeof body === 'string' && body.length > longestInline;
}

function isLongReport(report: AgentReport): boolean {
  if (report.type === 'message' || report.type === 'thought') return isLongBody(report.text);
  if (report.type !== 'tool-call') return false;
  const isLongDiff = report.diffs?.some(({ before, after }) => isLongBody(before) || isLongBody(after)) === true;
  return isLongBody(report.content) || isLongDiff;
}

function isLongOutcome(outcome: ModelOutcome): boolean {
  if (outcome.type !== 'completed') return isLongBody(outcome.partial);
  return (
    isLongBody(outcome.text) ||
    isLongBody(outcome.reasoning) ||
    outcome.calls.some((call) => isLongBody(call.args))
  );
}

function isLongResult(result: ToolResult): boolean {
  return isLongBody(result.type === 'error' ? result.message : result.output);
}
