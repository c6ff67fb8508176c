/** Delegates tasks to workers if the session offers it. */
import type { ToolSpec } from '../../ports/tool.ts';
import { splitAtAnd, type OfflineRequest } from '../offline-request.ts';
import { failedCall } from '../failed-call.ts';
import { bullets, code } from '../markdown.ts';
import { counted } from '../../wording/counted.ts';
import { callTool, tell, type Plan, type PlanEnd } from '../plan.ts';
import { unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';

export const delegateWork: OfflineSkill = {
  name: 'delegate',
  does: 'hand tasks to several workers, where the session offers that',
  examples: ['delegate to two workers: list the files; run the tests'],
  takesAll: true,
  plan(request) {
    const tasks = tasksIn(request);
    if (tasks === undefined) return undefined;
    const tool = request.tools.get('delegate');
    if (tool === undefined) {
      return tell({
        ok: false,
        unserved: true,
        text: `Workers are not offered in this session (there is no \`delegate\` tool), so I handed out nothing. I can do the tasks one after the other myself: \`${tasks.join(', then ')}\``,
      });
    }
    return delegate(tool, tasks);
  },
};

function tasksIn({ words }: OfflineRequest): readonly string[] | undefined {
  const match =
    /^(?:delegate|hand(?: out)?|distribute|spawn|start|use|ask|let)\b[^:]*?\b(?:workers?|agents?|sub-?agents?)\b\s*(?::|to\b|for\b|with\b)\s*([\s\S]+)$/i.exec(
      words,
    )?.[1] ?? /^delegate\s*:?\s+([\s\S]+)$/i.exec(words)?.[1];
  if (match === undefined) return undefined;
  const parts = match
    .split(/\s*(?:;|\n|,\s*and\s+|\s+and\s+(?=to\s)|(?:^|\s)\d+[.)]\s)\s*/)
    .flatMap(splitAtAnd)
    .map((part) => unquoted(part.replace(/^(?:[-*]|to)\s+/, '')));
  return parts.filter((part) => part !== '').slice(0, 10);
}

function* delegate(tool: ToolSpec, tasks: readonly string[]): Plan<PlanEnd> {
  const args = delegateArguments(tool.parameters, tasks);
  if (args === undefined)
    return {
      ok: false,
      text: 'The `delegate` tool of this session wants arguments that I do not know how to give.',
    };
  const result = yield* callTool(tool.name, args);
  if (result.outcome !== 'success') return failedCall(result, 'delegating');
  return {
    ok: true,
    text: `✓ Handed ${counted(tasks.length, 'task')} to workers:\n\n${bullets(tasks.map(code))}\n\n${result.text.slice(0, 1_000)}`,
  };
}

type Schema = Readonly<Record<string, unknown>>;

/** The schema's only list holds the tasks. Among an entry's strings, the one that sounds like a task holds it. */
function delegateArguments(parameters: Schema, tasks: readonly string[]): Schema | undefined {
  const lists = Object.entries(propertiesOf(parameters)).filter(([, schema]) => schema['type'] === 'array');
  const [name, list] = lists[0] ?? [];
  const items = list?.['items'] as Schema | undefined;
  if (name === undefined || items === undefined || lists.length > 1) return undefined;
  if (items['type'] === 'string') return { [name]: tasks };
  const fields = propertiesOf(items);
  const text = ['objective', 'prompt', 'task', 'text', 'instructions', 'goal', 'description'].find(
    (field) => fields[field]?.['type'] === 'string',
  );
  const required = Array.isArray(items['required']) ? (items['required'] as readonly unknown[]) : [];
  const others = required.filter((field) => field !== text);
  if (text === undefined || others.some((field) => field !== 'id' && field !== 'name')) return undefined;
  return {
    [name]: tasks.map((task, index) => ({
      ...Object.fromEntries(others.map((field) => [field, `task-${index + 1}`])),
      [text]: task,
    })),
  };
}

function propertiesOf(schema: Schema): Readonly<Record<string, Schema>> {
  return (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>;
}
