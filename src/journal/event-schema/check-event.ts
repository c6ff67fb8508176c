/** Validates events from bundles and examined stores against their schemas. Schemas load on first use. */
import type { z } from 'zod';

import type { Recorded } from '../../kernel/event.ts';

/** The problem with an event, starting with its sequence; undefined if valid. */
export type EventCheck = (recorded: Recorded) => string | undefined;

export async function loadEventCheck(): Promise<EventCheck> {
  const { causeSchema, eventSchemas } = await import('./event-schemas.ts');
  return ({ seq, at, by, event }) => {
    const wrong = (words: string) => `its event ${seq} (${event.type}) is not as Rondo writes it: ${words}`;
    if (isDeeperThan(mostDepth, event)) return wrong(`it is nested more than ${mostDepth} deep`);
    const cause = { at, by };
    const checkedCause = causeSchema.safeParse(cause);
    if (!checkedCause.success) return wrong(issueText(checkedCause.error, cause));
    const schema: z.ZodType = eventSchemas[event.type];
    const checked = schema.safeParse(event);
    return checked.success ? undefined : wrong(issueText(checked.error, event));
  };
}

/** A depth that recursion handles easily, far beyond anything Rondo writes. */
const mostDepth = 1000;

function isDeeperThan(most: number, value: unknown): boolean {
  let level = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}

function issueText({ issues: [issue] }: z.ZodError, whole: unknown): string {
  if (issue === undefined) return 'it does not have the right form';
  const field = `its field ${issue.path.map(String).join('.')}`;
  if (valueAt(whole, issue.path) === undefined) return `${field} is missing`;
  switch (issue.code) {
    case 'invalid_type':
      return `${field} is not of type ${issue.expected}`;
    case 'invalid_value':
      return `${field} is none of ${issue.values.map(String).join(', ')}`;
    case 'invalid_union':
      return issue.discriminator === undefined
        ? `${field} ${issue.message}`
        : `${field} is of a kind that is not known here`;
    case 'too_big':
      return `${field} is more than ${issue.maximum}`;
    case 'too_small':
      return `${field} is less than ${issue.minimum}`;
    default:
      return `${field} ${issue.message}`;
  }
}

function valueAt(whole: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    whole,
  );
}
