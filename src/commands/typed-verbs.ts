/**
 * Verbs that a person types like commands: `/fix the crash in login.ts`. They are prompts, not commands: the text
 * goes to the session unchanged, and the prompt's recorded intent has this verb (`intent/transducer.ts`). A
 * built-in command of the same name takes precedence over the verb, and the verb over a command from a file.
 */

const task = [{ name: 'task', required: true }] as const;

export const typedVerbs = [
  { name: 'fix', parameters: task, summary: 'fix a fault' },
  { name: 'implement', parameters: task, summary: 'build something new' },
  { name: 'refactor', parameters: task, summary: 'restructure code, keep its behavior' },
  { name: 'test', parameters: task, summary: 'write or run tests' },
  { name: 'cover', parameters: task, summary: 'add tests for what has none' },
  { name: 'verify', parameters: task, summary: 'check that something works' },
  { name: 'review', parameters: task, summary: 'review code without changing it' },
  { name: 'audit', parameters: task, summary: 'look for risks without changing anything' },
  { name: 'research', parameters: task, summary: 'collect facts' },
  { name: 'learn', parameters: task, summary: 'study something and note it' },
  { name: 'dream', parameters: task, summary: 'think it through, run nothing' },
] as const;

type TypedVerb = (typeof typedVerbs)[number];

/** Ignores case. */
export function findTypedVerb(name: string): TypedVerb | undefined {
  const wanted = name.toLowerCase();
  return typedVerbs.find((verb) => verb.name === wanted);
}
