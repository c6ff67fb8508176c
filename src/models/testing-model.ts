/**
 * The testing agent's model: no language model, but one that does what its prompt says, line by line,
 * so that a whole product can be tried and tested without a network.
 *
 *     say TEXT            answers with TEXT, word by word
 *     call TOOL {json}    calls a tool; several lines in a row are one reply
 *     fail [message]      fails as an unavailable provider does
 *     hang                never answers
 *     refuse              refuses
 *
 * Anything else is echoed. After the tools have run, it replies with the next `say`, or with their results.
 */
import { estimateTokens } from '../kernel/content.ts';
import type { Message } from '../kernel/message.ts';
import { ruleSummary } from '../runtime/rule-summary.ts';
import { type Model, type ModelRequest, type ModelResult, type ModelSink } from '../ports/model.ts';
import { textOf } from '../runtime/text-of.ts';

/** A model that executes the lines of a prompt: `say …`, `call TOOL {…}`, `fail`, `hang`, `refuse`. */
export function createTestingModel(): Model {
  return {
    name: 'testing',
    cost: () => 0,
    async call(request, sink, signal) {
      if (request.purpose === 'summary') return settle(summaryStep(request), request, sink);
      const { prompt, replies, results } = await sinceLastPrompt(request);
      const plan = planOf(prompt);
      const step = plan[replies] ?? { type: 'say', text: summary(results) };
      if (step.type === 'hang') {
        await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      }
      return signal.aborted ? { type: 'cancelled' } : settle(step, request, sink);
    },
  };
}

/** The text to keep may contain such a line, so that a test can make a summary fail. */
function summaryStep(request: ModelRequest): Step {
  const asked = request.messages.at(-1)?.text ?? '';
  const [, wish = ''] = /which the user asked for: (.*)/.exec(typeof asked === 'string' ? asked : '') ?? [];
  const [step] = planOf(wish);
  const summary = ruleSummary(request.messages.slice(0, -1));
  return step?.type === 'fail' ? step : { type: 'say', text: wish === '' ? summary : `${summary}\nKept: ${wish}` };
}

type Step =
  | { readonly type: 'say'; readonly text: string }
  | { readonly type: 'call'; readonly calls: readonly { readonly tool: string; readonly args: string }[] }
  | { readonly type: 'fail'; readonly message: string }
  | { readonly type: 'hang' }
  | { readonly type: 'refuse' };

function planOf(prompt: string): readonly Step[] {
  const steps: Step[] = [];
  const lines = prompt.split('\n').filter((line) => line.trim() !== '');
  for (const line of lines) {
    const [, word = '', rest = ''] = /^\s*(\w+)\s*(.*)$/.exec(line) ?? [];
    const last = steps.at(-1);
    if (word === 'call') {
      const [, tool = '', args = '{}'] = /^(\S+)\s*(.*)$/.exec(rest) ?? [];
      const call = { tool, args: args === '' ? '{}' : args };
      if (last?.type === 'call') steps[steps.length - 1] = { type: 'call', calls: [...last.calls, call] };
      else steps.push({ type: 'call', calls: [call] });
    } else if (word === 'say') steps.push({ type: 'say', text: rest });
    else if (word === 'fail') steps.push({ type: 'fail', message: rest === '' ? 'told to fail' : rest });
    else if (word === 'hang' && rest === '') steps.push({ type: 'hang' });
    else if (word === 'refuse' && rest === '') steps.push({ type: 'refuse' });
    else return [{ type: 'say', text: `You said: ${prompt.trim()}` }];
  }
  return steps;
}

function settle(
  step: Exclude<Step, { type: 'hang' }> | Step,
  request: ModelRequest,
  sink: ModelSink,
): ModelResult {
  const inputTokens = request.messages.reduce((sum, message) => sum + estimateTokens(message.text), 0);
  const replyWith = (text: string): ModelResult => {
    for (const word of text.match(/\S+\s*/g) ?? []) sink.text(word);
    const usage = { inputTokens, outputTokens: estimateTokens(text), cost: 0, estimated: true };
    return { type: 'completed', text: (text.match(/\S+\s*/g) ?? []).join(''), calls: [], usage, stop: 'end' };
  };
  switch (step.type) {
    case 'say':
      return replyWith(step.text);
    case 'call': {
      const calls = step.calls.map((call, index) => ({
        id: `call_${request.messages.length}_${index + 1}`,
        ...call,
      }));
      const usage = { inputTokens, outputTokens: calls.length, cost: 0, estimated: true };
      return { type: 'completed', text: '', calls, usage, stop: 'calls' };
    }
    case 'fail':
      return { type: 'failed', code: 'model-unavailable', message: step.message, retryable: false };
    case 'refuse':
      return { ...replyWith('I would rather not.'), stop: 'refusal' } as ModelResult;
    case 'hang':
      return { type: 'cancelled' };
  }
}

async function sinceLastPrompt({ messages, read }: ModelRequest) {
  const at = messages.findLastIndex((message) => message.role === 'user');
  const since = messages.slice(at + 1);
  const prompt = messages[at];
  return {
    prompt: prompt === undefined ? '' : await textOf(prompt.text, read),
    replies: since.filter((message) => message.role === 'assistant').length,
    results: since.filter((message) => message.role === 'tool'),
  };
}

function summary(results: readonly Extract<Message, { role: 'tool' }>[]): string {
  const lines = results.map(({ tool, outcome, text }) => {
    const preview = typeof text === 'string' ? text : text.preview;
    return `${tool} (${outcome}): ${preview}`;
  });
  return lines.length === 0 ? 'Done.' : lines.join('\n');
}
