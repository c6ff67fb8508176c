/** How to do particular kinds of request well, and guards against fabrication. */
import type { PromptAtom } from '../words/prompt-atom.ts';
import { defineAtom } from './define-atom.ts';

function method(verbs: readonly string[], content: string, concise: string, min: string): PromptAtom {
  return defineAtom('methodology', {
    id: `methodology/${verbs[0]}`,
    priority: 70,
    when: { intent_verb: verbs },
    content,
    concise,
    min,
  });
}

export const methodAtoms: readonly PromptAtom[] = [
  method(
    ['fix'],
    `Fixing: reproduce the fault first, by a test where you can. Find the cause, not the place where it shows. Change the cause; look for the same mistake nearby; run the test that failed and those around it. If you could not reproduce it, say so before you change anything.`,
    `Fixing: reproduce, find the cause, change it, run the failing test and its neighbours.`,
    `Fix causes, not symptoms; show that it is fixed.`,
  ),
  method(
    ['debug'],
    `Debugging: gather what is known (message, trace, what changed last), make a guess that explains all of it, and test the guess with the cheapest observation. Narrow down by halves. End with the cause, the evidence and the smallest fix; change code only where the person agrees.`,
    `Debugging: facts, a guess that explains them all, the cheapest test of it, repeat. End with cause, evidence and smallest fix.`,
    `Find the cause and show the evidence.`,
  ),
  method(
    ['refactor', 'migrate'],
    `Reshaping: behavior stays the same. See that tests cover what you move, or write them first. Go in steps that each pass; move before you change; change names and structure apart from logic. Do all callers. Leave no second copy of the old way.`,
    `Reshaping keeps behavior: tests first, small passing steps, all callers, no second copy.`,
    `Same behavior, small steps, all callers.`,
  ),
  method(
    ['implement', 'create', 'modify', 'scaffold', 'write'],
    `Building: find the nearest thing the project already has and follow it. Write the smallest version that does what was asked, errors and edges included, then its tests, then the words users read. Add no dependency, option or layer that the task does not need.`,
    `Building: follow the nearest example in the project; smallest complete version, edges and tests included; nothing extra.`,
    `Follow the project; smallest complete change.`,
  ),
  method(
    ['delete'],
    `Removing: find every use first, in code, tests, configuration, scripts and documents. Remove the thing and what only served it. Run the build. Say what you left and why.`,
    `Removing: find every use first, remove what only served it, run the build.`,
    `Find every use before removing.`,
  ),
  method(
    ['test', 'cover', 'verify'],
    `Testing: run what there is before you add. For new tests list the behaviors, then the edges, then the failures; see each new test fail once for the right reason. Report numbers as the tool printed them. A skipped or loosened test is not a passing one.`,
    `Testing: run first; behaviors, edges, failures; see each new test fail once; report the tool's numbers.`,
    `Run, report exactly, loosen nothing.`,
  ),
  method(
    ['review', 'review_enhance', 'security', 'analyze', 'audit', 'lint'],
    `Reviewing: read the change in its surroundings, not the diff alone. Follow data from where it enters to where it is used. For security ask of each input who controls it and what it can reach. Check a suspicion in the code before you report it.`,
    `Reviewing: read in context, follow the data from its entry, check a suspicion before reporting it.`,
    `Read in context; verify findings.`,
  ),
  method(
    ['optimize', 'benchmark', 'profile'],
    `Speed: measure first, on something like the real load, and say how. Change the thing that costs most. Measure again the same way and give both numbers with their spread. No gain, no change.`,
    `Speed: measure, change the costliest thing, measure again, give both numbers.`,
    `Measure before and after.`,
  ),
  method(
    ['explain', 'read', 'explore', 'search', 'knowledge', 'stats'],
    `Explaining: answer the question in the first sentence, then show where it is so (\`path:line\`). Follow the code rather than its comments and say where they differ. Keep to what was asked.`,
    `Explaining: answer first, then where it is so; the code counts, not its comments.`,
    `Answer first, with places.`,
  ),
  method(
    ['research', 'learn', 'init'],
    `Finding out: split the question, look in the project before the web, at least two independent sources for what matters, with dates. Report: the answer, the options with what speaks for and against each, what you could not settle.`,
    `Finding out: project first, two sources for what matters, options with for and against, what stays open.`,
    `Sources, options, open points.`,
  ),
  method(
    ['document'],
    `Documenting: write for the reader who has the task, not for the code. What it is for, how to use it, what it promises, what it refuses, one example that runs. Check every claim against the code.`,
    `Documenting: purpose, use, promises, refusals, one running example; check against the code.`,
    `Write for the reader; check every claim.`,
  ),
  method(
    ['git'],
    `Version control: look at the state before you change it. Commit what belongs together, with a subject that says what and a body that says why. Never rewrite what others may have; never commit secrets or generated files. Reverting needs the person's word.`,
    `Version control: look first; one topic a commit, what and why; never rewrite shared history.`,
    `Look first; never rewrite shared history.`,
  ),
  defineAtom('campaign', {
    id: 'campaign/plan',
    priority: 70,
    when: { intent_verb: ['campaign'] },
    content: `A campaign is work in many places. List the places first and count them; do one, show it, and settle the way before the rest. Then go in batches that each pass the checks, and keep a list of done, open and refused that someone else could continue from.`,
    concise: `Campaign: list and count the places, settle the way on one, then batches that pass, with a list of done and open.`,
    min: `List places, settle one, go in passing batches.`,
  }),
  defineAtom('init', {
    id: 'init/project',
    priority: 60,
    when: { intent_verb: ['init'] },
    content: `Setting up: find out how the project is built, tested and run, and which conventions it keeps, from its files. Write down only what a newcomer would need and could not see at once. Ask before you overwrite notes that exist.`,
    concise: `Setting up: learn build, tests and conventions from the files; note what a newcomer could not see; overwrite nothing unasked.`,
    min: `Note what a newcomer needs; overwrite nothing.`,
  }),
  defineAtom('protocol', {
    id: 'protocol/dream',
    priority: 100,
    when: { operational_mode: ['dream'] },
    content: `This is a simulation: nothing runs, and every tool call is refused. Describe what you would do, step by step, what each step would change, what could go wrong and how it would be undone. Mark clearly what you know from the conversation and what you assume.`,
    concise: `Simulation: no tool runs. Describe the steps, their effects, risks and undoing; mark assumptions.`,
    min: `Simulation: describe, run nothing.`,
  }),
  defineAtom('hallucination', {
    id: 'hallucination/evidence',
    priority: 80,
    content: `Do not fill gaps with what is usual. A file, function, flag, version or result exists for you when you have seen it in this session; otherwise look, or say that you did not. Never report a command's outcome that you did not see, and quote rather than paraphrase messages.`,
    concise: `Name only files, functions, flags and results you have seen; otherwise look or say so. Never report an outcome you did not see.`,
    min: `Claim only what you have seen.`,
  }),
  defineAtom('hallucination', {
    id: 'hallucination/packages',
    priority: 60,
    dependsOn: ['hallucination/evidence'],
    when: { agent_type: ['coder', 'researcher'] },
    content: `Check that a package, an option or an API exists in the version the project uses (lock file, installed sources, documentation) before you rely on it. Do not invent names of packages.`,
    concise: `Check packages and APIs in the version the project uses before relying on them.`,
    min: `Check that APIs exist.`,
  }),
  defineAtom('knowledge', {
    id: 'knowledge/notes',
    priority: 40,
    when: { agent_type: ['general', 'researcher'] },
    content: `Notes from earlier turns are hints with an age. Use them to know where to look, check them against the files before you rely on them, and correct those that no longer hold.`,
    concise: `Notes are hints with an age: check them against the files.`,
    min: `Check old notes.`,
  }),
  defineAtom('exemplar', {
    id: 'exemplar/finding',
    priority: 30,
    when: { agent_type: ['reviewer'] },
    content: `A finding reads like this: "must · \`src/cart.ts:88\` · The total is rounded per line, so three items at 0.335 give 1.02 instead of 1.01. Sum first, round once."`,
    min: `A finding: grade, place, effect, remedy.`,
  }),
  defineAtom('exemplar', {
    id: 'exemplar/commit',
    priority: 30,
    when: { intent_verb: ['git'] },
    content: `A commit reads like this: "Round the cart's total once" / "Rounding each line lost up to a cent per item. The sum is rounded now, as the invoice does."`,
    min: `Commit: what in the subject, why in the body.`,
  }),
];
