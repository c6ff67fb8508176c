/**
 * Turns compiled from what was asked: the meaning when a prompt arrives, the prompt's text when a model is called.
 *
 * An agent that is not compiled is narrowed only where it was told to change nothing, or not some path, and nobody is asked what was
 * meant: a guessed verb must not get in a language model's way.
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
import { answerText, type Answer } from '../../kernel/question.ts';
import type { AskedMeaning } from '../../runtime/capabilities.ts';

export interface TurnCompilation {
  /** The same sources with parts of a program's own. */
  with(parts: IntentParts): TurnCompilation;
  /** What a prompt means as the rules see it, what that narrows, and what must be asked first. */
  meaningOf(text: string, scene: Scene): Promise<Meaning>;
  /** What a prompt means after the answer to what was asked about it. */
  answered(intent: Intent, answer: Answer, scene: Scene): Meaning | undefined;
  /** How a model is asked what a prompt means; its answer is checked, and the rules' stands where it is none. */
  askModel(byRules: Intent, scene: Scene): Promise<AskedMeaning>;
  /** The system text of a compiled turn: what is stable first, what this turn is about last. */
  systemPrompt(intent: Intent, scene: Pick<Scene, 'agent' | 'tools'>, parts: SystemParts): Promise<string>;
  compile: (
    intent: Intent,
    agent: Pick<AgentDefinition, 'prompt' | 'tools'>,
    tools: readonly string[],
    project?: Awaited<ReturnType<typeof readProjectFacts>>,
  ) => Extract<CompiledTurn, { type: 'compiled' }>;
}

export interface Scene {
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

/** By what is shipped alone, made once. */
export function shippedCompilation(): TurnCompilation {
  return (shipped ??= createTurnCompilation(shippedSources));
}

export function createTurnCompilation(sources: IntentSources, parts: IntentParts = {}): TurnCompilation {
  const compiler = createTurnCompiler(sources, parts);
  const { verbs } = sources;

  const compile: TurnCompilation['compile'] = (intent, agent, tools, project) => {
    const budget = { total: promptTokens, reserve: 0 };
    const turn = compiler.compileTurn({ intent, agent, tools, budget, ...(project !== undefined && { project }) });
    if (turn.type === 'compiled') return turn;
    throw new Fault(
      'internal',
      `Compiling the turn: ${turn.problem}. Correct .rondo/intent (\`rondo config check\`), or set "compile": false for the agent.`,
    );
  };

  function narrowed(intent: Intent, { agent, tools }: Scene): Meaning {
    const isDreamt = intent.verb === 'dream' && intent.by === 'typed';
    if (!agent.compile && !intent.readOnly && !isDreamt && intent.spared === undefined) return { intent };
    const all = compile(intent, agent, tools).rules;
    const rules = agent.compile ? all : all.filter(({ verdict }) => verdict === 'deny');
    return { intent, ...(rules.length > 0 && { rules }) };
  }

  /** The meaning with the question that it leaves open, for agents whose turns are made from it. */
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

/** Files looked at before a large folder is given up on. */
const mostFiles = 20_000;
/** A file that these name may be one that is yet to be made. */
const making: ReadonlySet<string> = new Set([
  'create',
  'implement',
  'scaffold',
  'write',
  'document',
  'init',
  'test',
]);

/** Looks for the named file only where it is not where it was said to be. */
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

/** Only a prompt that leaves something out needs to know what there is. */
async function entriesOf(cwd: string, text: string): Promise<ReadonlySet<string>> {
  if (!/\b(?:not|don['’]?t|never|leave|hands off|keep|without)\b/i.test(text)) return new Set();
  const { readdir } = await import('node:fs/promises');
  return new Set(await readdir(cwd).catch(() => []));
}

function located(intent: Intent, match: TargetMatch | undefined): Intent {
  return match?.type === 'found' ? { ...intent, target: { type: 'file', text: match.path } } : intent;
}
