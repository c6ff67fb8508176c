/** `rondo policy explain`: uses the same facts and the same judge as a run, without running anything. */
import path from 'node:path';

import type { LoadedConfig } from '../../agents/config-layers.ts';
import { problemToText } from '../../agents/config-problem.ts';
import { testing } from '../../agents/default-agent.ts';
import { resolveAgent } from '../../agents/resolve-agent.ts';
import { savedRulesFor } from '../../agents/saved-rules.ts';
import type { Call } from '../../kernel/call.ts';
import type { CallId, SessionId } from '../../kernel/ids.ts';
import { isModeName, modes, type Mode } from '../../kernel/mode.ts';
import { fileRulesAmong } from '../../kernel/policy/file-rules.ts';
import { approvalFacts, judge, type Judgement, type Policy } from '../../kernel/policy/permission.ts';
import type { Rule } from '../../kernel/rule.ts';
import { configuredSandbox } from '../../assembly/tools/configured-sandbox.ts';
import type { CommandSandbox } from '../../security/sandbox/command-sandbox.ts';
import { reachOf, reachText } from '../../security/sandbox/sandbox-setting.ts';
import { createDefaultTools } from '../../tools/default-tools.ts';
import { findGitPlace } from '../../git/find-git-place.ts';
import { createMemoryNotes } from '../../tools/talk/notes-tool.ts';
import { createReadLedger } from '../../tools/define/read-ledger.ts';
import { createToolRegistry } from '../../tools/registry.ts';
import { grantsText } from '../../views/call-summary.ts';
import { configOf } from '../folder-config.ts';
import { homeFolder } from '../home.ts';
import { printJson } from '../print-json.ts';
import { terminalOf } from '../terminal.ts';
import { configurationError, usageError } from '../usage-error.ts';
import { judgeParts } from './judge-parts.ts';
import type { PolicyValues } from './policy-options.ts';
import { toneOfVerdict } from './verdict-tone.ts';
import { isDangerous } from '../../wording/effect-heading.ts';
import { reasonText } from '../../wording/reason.ts';

export async function explain(command: string | undefined, values: PolicyValues): Promise<number> {
  const cwd = path.resolve(values.cwd ?? '.');
  const loaded = await configOf({ cwd });
  const mode = modeFrom(values.mode);
  const policy = await policyOf(loaded, values.agent);
  const setting = loaded.config.tools?.sandbox ?? 'auto';
  const sandbox = configuredSandbox(setting, homeFolder());
  const call = await callFrom(command, values, {
    cwd,
    sandbox,
    rules: policy.rules,
    isKept: loaded.config.checkpoints !== false,
  });
  const reach = reachOf(setting);
  const whole = judge(call, policy, mode);
  const parts = judgeParts(call, policy, mode);
  const about = { type: 'approval', call: call.id, ...approvalFacts(call, whole) } as const;
  const { grants } = about;
  if (values.json === true) {
    printJson({
      tool: call.tool,
      verdict: whole.verdict,
      decidedBy: whole,
      parts,
      grants,
      ...(runsCommands.has(call.tool) && { sandbox: reach }),
    });
    return 0;
  }
  const { paint } = terminalOf(process.stdout);
  const verdict = (given: Judgement) => paint[toneOfVerdict[given.verdict]](given.verdict.padEnd(5));
  console.log(`${verdict(whole)} ${paint.strong(outcomeText[whole.verdict])}`);
  console.log(`      ${sourceOf(whole)}: ${reasonText(whole.reason)}`);
  if (parts.length > 1) {
    console.log('');
    for (const { part, judgement } of parts) {
      console.log(`${verdict(judgement)} ${part}`);
      console.log(`      ${sourceOf(judgement)}: ${reasonText(judgement.reason)}`);
    }
  }
  if (whole.verdict === 'ask' && grants.length > 0) {
    const lasting = isDangerous({ about, facts: call.facts }) ? '' : ' and "always"';
    console.log(`\n"For this session"${lasting} would allow: ${grantsText(grants, 'whole')}`);
  }
  const isSandboxed = reach.level === 'auto' ? call.facts.confined === true : reach.level !== 'none';
  if (isSandboxed && runsCommands.has(call.tool)) console.log(`\nIt would run ${reachText(reach)}.`);
  return 0;
}

const runsCommands: ReadonlySet<string> = new Set(['shell', 'run_tests']);

const outcomeText = {
  allow: 'it would run without asking',
  ask: 'it would need approval; without a person the run ends with exit code 3',
  deny: 'it would be refused, and the model would get the reason',
} as const;

function sourceOf({ rule, origin }: Judgement): string {
  return `${origin} rule ${rule}`;
}

async function policyOf(loaded: LoadedConfig, agentName: string | undefined): Promise<Policy> {
  const name = agentName ?? loaded.config.defaultAgent ?? 'assistant';
  const saved = await savedRulesFor(homeFolder(), loaded.project.identity);
  const standing = [...loaded.rules, ...saved];
  if (name === testing) return { rules: standing, grants: [], tools: 'all' };
  const resolved = await resolveAgent(loaded, name, process.env);
  if (resolved.type === 'unknown') {
    throw usageError(
      `unknown agent "${name}"${resolved.nearest === undefined ? '' : `; did you mean "${resolved.nearest}"?`}`,
    );
  }
  if (resolved.type === 'invalid') throw configurationError(resolved.problems.map(problemToText).join('\n'));
  const { rules, tools } = resolved.agent;
  return { rules: [...rules, ...standing], grants: [], tools };
}

function modeFrom(name: string | undefined): Mode {
  if (name === undefined) return modes.interactive;
  if (isModeName(name)) return modes[name];
  throw usageError(`unknown mode "${name}"; use one of ${Object.keys(modes).join(', ')}`);
}

interface ExplainedPlace {
  readonly cwd: string;
  readonly sandbox: CommandSandbox;
  readonly rules: readonly Rule[];
  /** Whether sessions take checkpoints here. */
  readonly isKept: boolean;
}

async function callFrom(
  command: string | undefined,
  values: PolicyValues,
  { cwd, sandbox, rules, isKept }: ExplainedPlace,
): Promise<Call> {
  const { tool = 'shell', path: file, url, args } = values;
  const context = {
    session: 'ses_explain' as SessionId,
    agent: 'explain',
    cwd,
    roots: [cwd],
    fileRules: fileRulesAmong(rules),
    // As in a session, where a checkpoint holds what an edit changes.
    keepsFiles: async () => isKept && (await findGitPlace(cwd)).type === 'place',
  };
  const registry = createToolRegistry(
    createDefaultTools({ ledger: createReadLedger(), notes: createMemoryNotes(), shell: { sandbox } }),
  );
  if (registry.get(tool) === undefined) {
    throw usageError(
      `unknown built-in tool "${tool}"; use one of ${registry
        .list()
        .map(({ name }) => name)
        .join(', ')}`,
    );
  }
  const given = [command, file, url, args].filter((word) => word !== undefined);
  if (given.length !== 1) throw usageError('give exactly one of a command, --path, --url and --args');
  if (command !== undefined && tool !== 'shell')
    throw usageError(`a command only works with shell; ${tool} needs --path, --url or --args`);
  const text = args ?? JSON.stringify(argumentsFor(tool, { command, path: file, url }));
  const { facts } = await registry.describeCall(tool, text, context);
  if (facts.problem !== undefined) throw usageError(facts.problem.message);
  return { id: 'explain' as CallId, tool, args: text, facts };
}

/** Just enough arguments to determine the facts. Written content doesn't affect them. */
function argumentsFor(tool: string, given: Readonly<Record<string, string | undefined>>): object {
  if (tool === 'write') return { ...given, content: '' };
  return tool === 'edit' ? { ...given, edits: [{ old_text: 'a', new_text: 'b' }] } : given;
}
