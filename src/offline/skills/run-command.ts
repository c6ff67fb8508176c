/** Runs an exactly stated command through the shell and its gate. */
import { failedCall } from '../failed-call.ts';
import { code, codeBlock } from '../markdown.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import { unquoted } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';

export const runShellCommand: OfflineSkill = {
  name: 'run a command',
  does: 'run a command that you state exactly',
  examples: ['run `npm run build`', 'run: ls -la', '$ git branch'],
  takesAll: true,
  plan({ words }) {
    const command = commandIn(words);
    return command === undefined ? undefined : run(command);
  },
};

const programs =
  'ls|pwd|echo|cat|head|tail|wc|du|df|date|whoami|uname|env|which|git|npm|npx|pnpm|yarn|bun|deno|node|tsc|python3?|pip3?|pytest|ruby|bundle|go|cargo|rustc|java|javac|mvn|gradle|make|cmake|docker|kubectl|curl|mkdir|touch|cp|mv|rm|chmod|sed|awk|sort|diff|tar|sh|bash|true|false|sleep';
const shapes: readonly RegExp[] = [
  /^(?:run|execute|exec)\s*(?:(?:the\s+|this\s+)?(?:shell\s+)?command)?\s*:?\s*(```[\s\S]+```|`[^`]+`)\s*[.!]?$/i,
  /^(?:run|execute|exec)\s+(?:the\s+|this\s+)?(?:shell\s+)?command\s*:?\s+("[^"]+"|\S[\s\S]*)$/i,
  /^(?:run|execute|exec|shell|command)\s*:\s*(\S[\s\S]*)$/i,
  /^\$\s+(\S[\s\S]*)$/,
  new RegExp(`^(?:run|execute)\\s+((?:${programs})(?:\\s+(?!test\\b|tests\\b)\\S[\\s\\S]*)?)$`),
];

function commandIn(words: string): string | undefined {
  const match = shapes.map((shape) => shape.exec(words)?.[1]).find((command) => command !== undefined);
  return match === undefined ? undefined : unquoted(match);
}

function* run(command: string): Plan<PlanEnd> {
  const result = yield* callTool('shell', { command });
  if (result.outcome !== 'success') return failedCall(result, code(command));
  const status = /^\[(Exit code \d+|Ended by \w+\.?)\]$/m.exec(result.text)?.[1];
  const output = result.text.replaceAll(/^\[(?:Exit code \d+|No output; exit code 0\.)\]$/gm, '').trimEnd();
  const how = status === undefined ? '✓' : '✗';
  return {
    ok: status === undefined,
    text: [
      `${how} ${code(command)}${status === undefined ? '' : ` — ${status.toLowerCase()}`}`,
      output === '' ? 'It wrote nothing.' : codeBlock(output, { lines: 40 }),
    ].join('\n\n'),
  };
}
