/** A tool call in one line, derived from its arguments for any tool. */
import type { CallFacts } from '../../../src/kernel/call.ts';
import { previewOf, type Body } from '../../../src/kernel/content.ts';
import { argumentsOf, type CallArguments } from '../../../src/views/call-arguments.ts';
import { callPart } from '../../../src/views/call-summary.ts';
import { oneLine } from '../../../src/views/one-line.ts';

interface CallSummary {
  readonly icon: 'terminal' | 'file' | 'edit' | 'search' | 'globe' | 'branch' | 'people' | 'tool' | 'question';
  /** The verb that goes with it: "Ran", "Read". */
  readonly verb: string;
  readonly text: string;
}

export function callSummary(tool: string, args: Body, facts?: CallFacts): CallSummary {
  const given = argumentsOf(args) ?? lenient(previewOf(args));
  const text = (name: string) => {
    const value = given[name];
    return typeof value === 'string' ? value : '';
  };
  const summary = (icon: CallSummary['icon'], verb: string, said: string): CallSummary => ({
    icon,
    verb,
    text: oneLine(said),
  });
  switch (tool) {
    case 'shell':
      return summary(
        'terminal',
        'Run',
        facts?.segments === undefined ? text('command') : callPart(previewOf(args), facts),
      );
    case 'run_tests':
      return summary('terminal', 'Run tests', text('filter') || text('path'));
    case 'read':
      return summary('file', 'Read', text('path'));
    case 'list':
      return summary('file', 'List', text('path') || '.');
    case 'write':
      return summary('edit', 'Write', text('path'));
    case 'edit':
      return summary('edit', 'Edit', text('path'));
    case 'delete':
      return summary('edit', 'Delete', text('path'));
    case 'grep':
      return summary('search', 'Search', `${text('pattern')}${text('path') === '' ? '' : ` in ${text('path')}`}`);
    case 'glob':
      return summary('search', 'Find', text('pattern'));
    case 'web_fetch':
      return summary('globe', 'Fetch', text('url'));
    case 'web_search':
      return summary('globe', 'Search the web', text('query'));
    case 'delegate':
      return summary('people', 'Delegate', text('task') || text('prompt'));
    case 'ask_user':
      return summary('question', 'Ask', text('question'));
    default: {
      const said = Object.values(given).find((value) => typeof value === 'string');
      const isGit = tool.startsWith('git_');
      const verb = tool.replaceAll(/[_-]+/g, ' ');
      return summary(isGit ? 'branch' : 'tool', verb, typeof said === 'string' ? said : '');
    }
  }
}

/** The first strings of truncated arguments. */
function lenient(opening: string): CallArguments {
  const found = opening.matchAll(/"(\w+)":"((?:[^"\\]|\\.)*)"/g);
  return Object.fromEntries(
    [...found].map(([, name = '', value = '']) => {
      try {
        return [name, JSON.parse(`"${value}"`) as unknown];
      } catch {
        return [name, value];
      }
    }),
  );
}
