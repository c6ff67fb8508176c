/**
 * Compiles turns from requests: the meaning when a prompt arrives, the prompt's text when a model is called.
 *
 * An agent that isn't compiled is narrowed only if the person asked it to change nothing, or not to change some
 * path, and it asks no questions about the meaning: a guessed verb must not get in a language model's way.
 */
import type { AgentDefinition } from '../../agents/agent-definition.ts';
import type { EnvironmentFacts } from '../../agents/environment-block.ts';
import type { LoadedText } from '../../agents/load-text.ts';
import { composeSystemPrompt } from '../../agents/system-prompt.ts';
import { answeredIntent, questionAbout } from '../../intent/meaning/clarify.ts';
import { createTurnCompiler, type CompiledTurn } from '../../intent/turn/compile-turn.ts';
import type { Intent } from '../../intent/words/intent.ts';
import type { IntentParts } from '../../intent/turn/intent-parts.ts';
import { shippedSources, type IntentSources } from '../../intent/turn/intent-sources.ts';
import type { TargetMatch } from '../../intent/meaning/match-target.ts';
import { readProjectFacts } from '../../intent/turn/project-facts.ts';
import { understand } from '../../intent/meaning/transducer.ts';
import { Fault } from '../../kernel/fault.ts';
import type { Meaning } from '../../kernel/meaning.ts';
import { optional } from '../../kernel/optional.ts';
import { answerText, type Answer } from '../../kernel/question.ts';
import type { AskedMeaning } from '../../runtime/capabilities.ts';

export interface TurnCompilation {
  /** The same sources with a program's own parts. */
  with(parts: IntentParts): TurnCompilation;
  /** A prompt's meaning by rules, the resulting restrictions, and any question to ask first. */
  meaningOf(text: string, scene: Scene): Promise<Meaning>;
  /** A prompt's meaning after the answer to a question about it. */
  answered(intent: Intent, answer: Answer, scene: Scene): Meaning | undefined;
  /** How to ask a model for a prompt's meaning. Its answer is validated; if invalid, the meaning by rules stands. */
  askModel(byRules: Intent, scene: Scene): Promise<AskedMeaning>;
  /** The system text of a compiled turn: stable parts first, this turn's subject last. */
  systemPrompt(intent: Intent, scene: Pick<Scene, 'agent' | 'tools'>, parts: SystemParts): Promise<string>;
  compile: (
    intent: Intent,
    agent: Pick<AgentDefinition, 'prompt' | 'tools'>,
    tools: readonly string[],
    project?: Awaited<ReturnType<typeof readProjectFacts>>,
  ) => Extract<CompiledTurn, { type: 'compiled' }>;
}

interface Scene {
  readonly agent: AgentDefinition;
  /** The session's folder. */
  readonly cwd: string;
  readonly tools: readonly string[];
}

interface SystemParts {
  readonly root: string;
  readonly instructions: readonly LoadedText[];
  readonly resources: readonly LoadedText[];
  readonly environment: EnvironmentFacts;
}

const promptTokens = 6000;

let shipped: TurnCompilation | undefined;

/** Uses only what is shipped. Created once. */
export function shippedCompilation(): TurnCompilation {
  return (shipped ??= createTurnCompilation(shippedSources));
}

export function createTurnCompilation(sources: IntentSources, parts: IntentParts = {}): TurnCompilation {
  const compiler = createTurnCompiler(sources, parts);
  const { verbs } = sources;

  const compile: TurnCompilation['compile'] = (intent, agent, tools, project) => {
    const budget = { total: promptTokens, reserve: 0 };
    const turn = compiler.compileTurn({ intent, agent, tools, budget, ...optional({ project }) });
    if (turn.type === 'compiled') return turn;
    throw new Fault(
      'internal',
      `Can't compile the turn: ${turn.problem}. Correct .rondo/intent (\`rondo config check\`), or set "compile": false for the agent.`,
    );
  };

  function narrowed(intent: Intent, { agent, tools }: Scene): Meaning {
    const isDreamt = intent.verb === 'dream' && intent.by === 'typed';
    if (!agent.compile && !intent.readOnly && !isDreamt && intent.spared === undefined) return { intent };
    const all = compile(intent, agent, tools).rules;
    const rules = agent.compile ? all : all.filter(({ verdict }) => verdict === 'deny');
    return { intent, ...(rules.length > 0 && { rules }) };
  }

  /** Adds the open question to the meaning, for agents whose turns are compiled from it. */
  async function asked(intent: Intent, scene: Scene): Promise<Meaning> {
    if (!scene.agent.compile) return narrowed(intent, scene);
    const target = await matchTargetIn(intent, scene.cwd);
    const question = questionAbout(intent, verbs, target);
    if (question === undefined) return narrowed(located(intent, target), scene);
    const { text, choices } = question;
    const clarify = { text, options: choices.map(({ label }) => label) };
    return { ...narrowed({ ...intent, choices }, scene), clarify };
  }

  return {
    compile,
    with: (own) => createTurnCompilation(sources, own),
    async meaningOf(text, scene) {
      const entries = await entriesOf(scene.cwd, text);
      const builtIn = () => understand(text, { verbs, entries });
      if (parts.transducer !== undefined) {
        const intent = await parts.transducer(text, builtIn);
        return verbs.verbs.has(intent.verb) ? asked(intent, scene) : narrowed(intent, scene);
      }
      const intent = builtIn();
      const wantsModel = scene.agent.understand === 'model' && scene.agent.runs === 'model';
      if (!wantsModel || intent.by === 'typed') return asked(intent, scene);
      return { ...(await asked(intent, scene)), understand: 'model' };
    },
    answered(intent, answer, scene) {
      if (answer.type !== 'option' && answer.type !== 'text') return undefined;
      return narrowed(answeredIntent(intent, answerText(answer), verbs), scene);
    },
    async askModel(byRules, scene) {
      const { understandingInstructions, understandingOutputTokens, readUnderstanding } =
        await import('../../intent/meaning/understand-with-model.ts');
      return {
        system: understandingInstructions(verbs),
        maxOutputTokens: understandingOutputTokens,
        async read(answer) {
          const read = await readUnderstanding(answer, byRules, verbs);
          return read.type === 'unclear' ? read.problem : asked(read.intent, scene);
        },
      };
    },
    async systemPrompt(intent, { agent, tools }, { root, ...rest }) {
      const turn = compile(intent, agent, tools, await readProjectFacts(root));
      return `${composeSystemPrompt({ agent: { prompt: turn.prefix }, ...rest })}\n\n${turn.suffix}`;
    },
  };
}

/** The most files to scan in a large folder before giving up. */
const mostFiles = 20_000;
/** Verbs whose target file may not exist yet. */
const making: ReadonlySet<string> = new Set([
  'create',
  'implement',
  'scaffold',
  'write',
  'document',
  'init',
  'test',
]);

/** Searches for the named file only if it isn't at the given path. */
async function matchTargetIn({ target, verb }: Intent, cwd: string): Promise<TargetMatch | undefined> {
  if (target?.type !== 'file' || making.has(verb)) return undefined;
  const [{ existsSync }, path] = await Promise.all([import('node:fs'), import('node:path')]);
  if (existsSync(path.resolve(cwd, target.text))) return undefined;
  const [{ matchTarget }, { walkFiles }] = await Promise.all([
    import('../../intent/meaning/match-target.ts'),
    import('../../tools/search/walk-files.ts'),
  ]);
  const files: string[] = [];
  for (const { relative, kind } of walkFiles({ root: cwd, start: cwd })) {
    if (files.length >= mostFiles) break;
    if (kind === 'file') files.push(relative);
  }
  return matchTarget(target.text, files);
}

/** Only a prompt that excludes something needs the folder's entries. */
async function entriesOf(cwd: string, text: string): Promise<ReadonlySet<string>> {
  if (!/\b(?:not|don['’]?t|never|leave|hands off|keep|without)\b/i.test(text)) return new Set();
  const { readdir } = await import('node:fs/promises');
  return new Set(await readdir(cwd).catch(() => []));
}

function located(intent: Intent, match: TargetMatch | undefined): Intent {
  return match?.type === 'found' ? { ...intent, target: { type: 'file', text: match.path } } : intent;
}
