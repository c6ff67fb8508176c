/** Runs the project's tests and lists failures. */
import { failedCall } from '../failed-call.ts';
import { code, codeBlock } from '../markdown.ts';
import { callTool, type Plan, type PlanEnd } from '../plan.ts';
import { pathFrom } from '../quoted.ts';
import type { OfflineSkill } from '../skill.ts';
import { listed } from '../tool-output.ts';

export const runTests: OfflineSkill = {
  name: 'run the tests',
  does: 'run the tests and report what failed',
  examples: ['run the tests', 'do the tests pass?', 'run the tests for parser'],
  plan({ words }) {
    const text = words.replace(/[.?!]+$/, '');
    const asks =
      /^(?:re-?)?(?:run|execute|start)\s+(?!`)(?:.*\s)?(?:tests?|specs?|test suite|suite)\b/i.test(text) ||
      /^(?:run\s+)?(?:npm|pnpm|yarn|bun|cargo|go|make)\s+(?:run\s+)?test$/i.test(text) ||
      /^(?:test|tests|test (?:it|this|everything|the (?:project|code|whole thing)))$/i.test(text) ||
      /^(?:do|are|did|is|check|see|verify|make sure)\b.*\btests?\b.*\b(?:pass\w*|green|ok|work\w*|fine|succeed\w*)\b/i.test(
        text,
      );
    if (!asks) return undefined;
    const about = /\btests?\s+(for|matching|in|of|about)\s+(?!this\b|the\b|it\b|all\b)(.+)$/i.exec(text);
    if (about === null) return test({});
    const place = pathFrom(about[2] ?? '');
    const mayBeFolder = /^(?:in|of)$/i.test(about[1] ?? '') && /^[\w@./-]+$/.test(place) && !/\.\w+$/.test(place);
    return mayBeFolder ? testIn(place.replace(/\/+$/, '')) : test({ filter: place });
  },
};

const projectFile =
  /^(?:package\.json|pyproject\.toml|pytest\.ini|setup\.py|tox\.ini|Cargo\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Makefile|Gemfile)$/;

/** A project folder has its own tests; any other name selects tests. */
function* testIn(name: string): Plan<PlanEnd> {
  const listing = yield* callTool('list', { path: name, depth: 1 });
  const isProject =
    listing.outcome === 'success' && listed(listing.text).lines.some((line) => projectFile.test(line.trim()));
  return yield* test(isProject ? { path: name } : { filter: name });
}

function* test(which: { readonly path?: string; readonly filter?: string }): Plan<PlanEnd> {
  const result = yield* callTool('run_tests', which);
  if (result.outcome !== 'success') return failedCall(result, 'running the tests');
  const { command, verdict, totals, failures, output } = reportIn(result.text);
  const passed = verdict.startsWith('all tests passed');
  const how = verdict.replace(/^failed \((.*)\)$/, '$1');
  return {
    ok: passed,
    text: [
      passed ? `✓ **All tests passed** (${code(command)})` : `✗ **The tests failed** (${code(command)}, ${how})`,
      ...(totals === '' ? [] : [codeBlock(totals, { lines: 10 })]),
      ...(failures === '' ? [] : ['What failed:', codeBlock(failures, { lines: 20 })]),
      ...(passed || failures !== ''
        ? []
        : ['The end of its output:', codeBlock(output.split('\n').slice(-20).join('\n'))]),
    ].join('\n\n'),
  };
}

interface Report {
  readonly command: string;
  readonly verdict: string;
  readonly totals: string;
  readonly failures: string;
  readonly output: string;
}

function reportIn(text: string): Report {
  const [summary, output] = cutAt(text, '\n\nOutput:\n');
  const [opening, failures] = cutAt(summary, '\n\nFailures:\n');
  const [head, totals] = cutAt(opening, '\n');
  const at = head.search(/: (?:all tests passed|failed)/);
  return {
    command: head.slice(0, at),
    verdict: head.slice(at + 2),
    totals: totals.trim(),
    failures: failures.trim(),
    output,
  };
}

function cutAt(text: string, mark: string): readonly [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
