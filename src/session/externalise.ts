import type { Blobs } from '../journal/blobs.ts';
import type { Call } from '../kernel/call.ts';
import type { Body } from '../kernel/content.ts';
import type { InputBody, ModelOutcome } from '../kernel/input.ts';
import type { ToolResult } from '../kernel/outcome.ts';
import type { AgentReport } from '../kernel/report.ts';

/** Content longer than this is kept as a blob; events carry its hash and its opening. */
const longestInline = 4096;
const previewLength = 1024;

/** The input itself where nothing in it is long, so that the usual case costs no promise. */
export function externalise(input: InputBody, blobs: Blobs): InputBody | Promise<InputBody> {
  switch (input.type) {
    case 'prompt-received': {
      const isLong =
        isLongBody(input.text) || input.attachments?.some((file) => isLongBody(file.content)) === true;
      return isLong ? externalPrompt(input, blobs) : input;
    }
    case 'queue-changed': {
      const { change } = input;
      if (change.type !== 'edited' || !isLongBody(change.text)) return input;
      return external(change.text, blobs).then((text) => ({ ...input, change: { ...change, text } }));
    }
    case 'task-received':
      return input.calls.some((call) => isLongBody(call.args))
        ? externalCalls(input.calls, blobs).then((calls) => ({ ...input, calls }))
        : input;
    case 'compaction-requested':
      return isLongBody(input.keep)
        ? external(input.keep ?? '', blobs).then((keep) => ({ ...input, keep }))
        : input;
    case 'summary-settled': {
      const { outcome } = input;
      if (outcome.type !== 'completed' || !isLongBody(outcome.summary)) return input;
      return external(outcome.summary, blobs).then((summary) => ({ ...input, outcome: { ...outcome, summary } }));
    }
    case 'model-settled':
      return isLongOutcome(input.outcome)
        ? externalOutcome(input.outcome, blobs).then((outcome) => ({ ...input, outcome }))
        : input;
    case 'tool-settled':
    case 'job-settled':
      return isLongResult(input.result)
        ? externalResult(input.result, blobs).then((result) => ({ ...input, result }))
        : input;
    case 'agent-reported':
      return isLongReport(input.report)
        ? externalReport(input.report, blobs).then((report) => ({ ...input, report }))
        : input;
    case 'agent-asked': {
      const { request } = input;
      if (request.type !== 'permission' || !isLongBody(request.call.args)) return input;
      return externalCalls([request.call], blobs).then(([call = request.call]) => ({
        ...input,
        request: { ...request, call },
      }));
    }
    default:
      return input;
  }
}

async function external(body: Body, blobs: Blobs): Promise<Body> {
  if (typeof body !== 'string' || body.length <= longestInline) return body;
  return { blob: await blobs.put(body), length: body.length, preview: body.slice(0, previewLength) };
}

async function externalPrompt(
  input: Extract<InputBody, { type: 'prompt-received' }>,
  blobs: Blobs,
): Promise<InputBody> {
  const { attachments } = input;
  const text = await external(input.text, blobs);
  if (attachments === undefined) return { ...input, text };
  const files = attachments.map(async (file) => ({ ...file, content: await external(file.content, blobs) }));
  return { ...input, text, attachments: await Promise.all(files) };
}

async function externalCalls(calls: readonly Call[], blobs: Blobs): Promise<readonly Call[]> {
  return Promise.all(calls.map(async (call) => ({ ...call, args: await external(call.args, blobs) })));
}

async function externalOutcome(outcome: ModelOutcome, blobs: Blobs): Promise<ModelOutcome> {
  if (outcome.type !== 'completed') {
    return outcome.partial === undefined
      ? outcome
      : { ...outcome, partial: await external(outcome.partial, blobs) };
  }
  const { reasoning } = outcome;
  return {
    ...outcome,
    text: await external(outcome.text, blobs),
    ...(reasoning !== undefined && { reasoning: await external(reasoning, blobs) }),
    calls: await externalCalls(outcome.calls, blobs),
  };
}

async function externalReport(report: AgentReport, blobs: Blobs): Promise<AgentReport> {
  if (report.type === 'message' || report.type === 'thought') {
    return { ...report, text: await external(report.text, blobs) };
  }
  if (report.type !== 'tool-call') return report;
  const { content, diffs } = report;
  const files = diffs?.map(async ({ path, before, after }) => ({
    path,
    ...(before !== undefined && { before: await external(before, blobs) }),
    after: await external(after, blobs),
  }));
  return {
    ...report,
    ...(content !== undefined && { content: await external(content, blobs) }),
    ...(files !== undefined && { diffs: await Promise.all(files) }),
  };
}

async function externalResult(result: ToolResult, blobs: Blobs): Promise<ToolResult> {
  switch (result.type) {
    case 'success':
      return { ...result, output: await external(result.output, blobs) };
    case 'error':
      return { ...result, message: await external(result.message, blobs) };
    case 'cancelled':
      return result.output === undefined ? result : { ...result, output: await external(result.output, blobs) };
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
