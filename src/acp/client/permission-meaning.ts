import type { CallFacts } from '../../kernel/call.ts';
import { isJsonObject } from '../../kernel/json-object.ts';
import { diffsIn, pathsIn } from './read-update.ts';
import { optional } from '../../kernel/optional.ts';
import type { PermissionRequest } from './wire-schema.ts';

/** One or more calls of Rondo's tools that are equivalent to the agent's call. */
export interface PermissionMeaning {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly described: readonly (readonly [tool: string, args: unknown])[];
  /** The access to assume if none of Rondo's tools describes the call. */
  readonly access: CallFacts['access'];
}

export function permissionMeaning(toolCall: ToolCall, agent: string): PermissionMeaning {
  const input = isJsonObject(toolCall.rawInput) ? toolCall.rawInput : {};
  const diffs = diffsIn(toolCall.content);
  const paths = unique([
    ...diffs.map(({ path }) => path),
    ...pathsIn(toolCall.locations),
    ...[input['file_path'], input['filePath'], input['path']].filter((path) => typeof path === 'string'),
  ]);
  const { kind } = toolCall;
  // A diff is an edit, whatever the agent calls it.
  if (diffs.length > 0 && !changing.has(kind ?? ''))
    return permissionMeaning({ ...toolCall, kind: 'edit' }, agent);
  const command = looking.has(kind ?? '') ? commandIn(input) : undefined;
  if (command !== undefined) return lookedUpByCommand(command, paths, input);
  switch (kind) {
    case 'execute':
      return commandMeaning(toolCall, input);
    case 'edit':
    case 'move': {
      const changes = diffs.map(({ path, before, after }) => ({
        path,
        ...optional({ before }),
        after,
      }));
      const tool = diffs.length > 0 && diffs.every(({ before }) => before === undefined) ? 'write' : 'edit';
      return {
        tool,
        args: changes.length > 0 ? { changes } : { paths, input },
        described: writing(paths, tool),
        access: 'write',
      };
    }
    case 'delete':
      return {
        tool: 'delete',
        args: { paths },
        described: paths.map((path) => ['delete', { path }]),
        access: 'write',
      };
    case 'read':
    case 'search':
      return {
        tool: 'read',
        args: { paths, input },
        described: paths.map((path) => ['read', { path }]),
        access: 'read',
      };
    case 'fetch': {
      const inInput = urlsIn(input);
      const urls = inInput.length > 0 ? inInput : urlsIn(toolCall.title);
      const [url] = urls;
      const described = urls.map((each) => ['web_fetch', { url: each }] as const);
      const args = url === undefined ? { input } : urls.length === 1 ? { url } : { urls };
      return { tool: 'web_fetch', args, described, access: 'network' };
    }
    case 'think':
      return { tool: `${agent}:think`, args: { input }, described: [], access: 'talk' };
    default:
      return {
        tool: `${agent}:${toolName(toolCall)}`,
        args: { title: toolCall.title ?? '', input },
        described: [],
        access: 'execute',
      };
  }
}

const changing: ReadonlySet<string> = new Set(['edit', 'move', 'delete', 'execute']);

/** Kinds that Rondo may allow unasked. */
const looking: ReadonlySet<string> = new Set(['think', 'read', 'search']);

type Input = Readonly<Record<string, unknown>>;

/** An unrecognized command needs approval: no pattern covers it. */
function commandMeaning({ title }: ToolCall, input: Input): PermissionMeaning {
  // Some agents only quote the command in the title.
  const command = commandIn(input) ?? /^`([^`]+)`$/.exec(title?.trim() ?? '')?.[1];
  if (command === undefined)
    return { tool: 'shell', args: { title: title ?? '' }, described: [], access: 'execute' };
  const args = { command, ...placeIn(input) };
  return { tool: 'shell', args, described: [['shell', args]], access: 'execute' };
}

/** The agent reports a read or search, but it runs a command: Rondo judges both. */
function lookedUpByCommand(command: string, paths: readonly string[], input: Input): PermissionMeaning {
  const args = { command, ...placeIn(input) };
  return {
    tool: 'shell',
    args: paths.length === 0 ? args : { ...args, paths },
    described: [['shell', args], ...paths.map((path) => ['read', { path }] as const)],
    access: 'execute',
  };
}

/** Undefined if there is none. The commands of a text editor, such as `view`, are none of a shell. */
function commandIn(input: Input): string | undefined {
  const given = input['command'] ?? input['cmd'];
  const command = Array.isArray(given) ? commandLine(given.map(String)) : given;
  if (typeof command !== 'string' || command === '') return undefined;
  return typeof input['path'] === 'string' && editorCommands.has(command) ? undefined : command;
}

const editorCommands: ReadonlySet<string> = new Set(['view', 'create', 'str_replace', 'insert', 'undo_edit']);

function placeIn(input: Input): { readonly cwd?: string } {
  const cwd = input['cwd'] ?? input['dir_path'] ?? input['directory'];
  return typeof cwd === 'string' && cwd !== '' ? { cwd } : {};
}

/** `bash -lc "…"` stands for the quoted command. Other words are joined as a shell would read them. */
export function commandLine([first = '', ...rest]: readonly string[]): string {
  const [option, script, ...more] = rest;
  if (
    /(?:^|\/)(?:ba|z|da)?sh$/.test(first) &&
    /^-l?c$/.test(option ?? '') &&
    script !== undefined &&
    more.length === 0
  ) {
    return script;
  }
  return [first, ...rest]
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
}

function writing(paths: readonly string[], tool: 'write' | 'edit'): PermissionMeaning['described'] {
  return paths.map((path) =>
    tool === 'write'
      ? ['write', { path, content: '' }]
      : ['edit', { path, edits: [{ old_text: 'x', new_text: '' }] }],
  );
}

/** All URLs at any depth: only the agent knows which of them it fetches. */
function urlsIn(value: unknown): readonly string[] {
  if (typeof value === 'string')
    return unique(Array.from(value.matchAll(/https?:\/\/[^\s"'<>)]+/gi), ([url]) => url));
  return typeof value === 'object' && value !== null ? unique(Object.values(value).flatMap(urlsIn)) : [];
}

export function unique<Item>(items: readonly Item[]): readonly Item[] {
  return [...new Set(items)];
}

type ToolCall = PermissionRequest['toolCall'];

function toolName({ name, kind, title }: ToolCall): string {
  const given = name ?? /^[\w.-]+(?=$|[ (:])/.exec(title ?? '')?.[0] ?? kind ?? 'other';
  return given.replaceAll(/[^\w.-]+/g, '_').slice(0, 60);
}
