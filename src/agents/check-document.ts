/** Validates a document against its schema and turns zod's issues into our messages with positions. */
import type { z } from 'zod';

import type { ConfigDocument } from './config-document.ts';
import { valueAt, type ConfigPath } from './config-path.ts';
import { problemAt, type ConfigProblem } from './config-problem.ts';
import type { AgentFileEntry, Config, JsonSchema } from './config-schema.ts';
import { nearestName, suggestName } from '../kernel/nearest-name.ts';

type Checked<T> =
  | { readonly type: 'checked'; readonly value: T }
  | {
      readonly type: 'invalid';
      readonly problems: readonly ConfigProblem[];
      /** The paths of invalid values. */
      readonly wrong: readonly ConfigPath[];
    };

export async function checkConfig(document: ConfigDocument): Promise<Checked<Config>> {
  const { configSchema, configJsonSchema } = await import('./config-schema.ts');
  return check(document, configSchema, configJsonSchema);
}

export async function checkAgentFile(document: ConfigDocument): Promise<Checked<AgentFileEntry>> {
  const { agentFileSchema, agentFileJsonSchema } = await import('./config-schema.ts');
  return check(document, agentFileSchema, agentFileJsonSchema);
}

function check<T>(document: ConfigDocument, schema: z.ZodType<T>, published: () => JsonSchema): Checked<T> {
  const parsed = schema.safeParse(document.value);
  if (parsed.success) return { type: 'checked', value: parsed.data };
  const described = published();
  const problems = parsed.error.issues.flatMap((issue) => issueToProblems(issue, [], document, described));
  const wrong = parsed.error.issues.flatMap(({ path, ...issue }) => {
    const at = path as (string | number)[];
    return issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...at, key]) : [at];
  });
  return {
    type: 'invalid',
    problems: problems.toSorted((a, b) => a.line - b.line || a.column - b.column),
    wrong,
  };
}

type Issue = z.core.$ZodIssue;

function issueToProblems(
  issue: Issue,
  above: ConfigPath,
  document: ConfigDocument,
  schema: JsonSchema,
): ConfigProblem[] {
  const path = [...above, ...(issue.path as (string | number)[])];
  const wrong = (message: string, nearest?: string): ConfigProblem[] => [
    problemAt({ file: document.file, ...document.placeOf(path) }, path, 'wrong-type', message, nearest),
  ];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownKey(key, path, document, schema));
    case 'invalid_type': {
      const actual = valueAt(document.value, path);
      if (actual === undefined) return wrong(`is missing; it must be ${withArticle(issue.expected)}.`);
      return wrong(`must be ${withArticle(issue.expected)}, not ${kindOf(actual)}.`);
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const actual = valueAt(document.value, path);
      if (typeof actual !== 'string') return wrong(`must be one of ${values.join(', ')}.`);
      return wrong(`cannot be "${actual}"${suggestName(actual, values)}`, nearestName(actual, values));
    }
    case 'invalid_union':
      return issueToUnion(issue.errors, path, document, schema) ?? wrong('has an unknown form.');
    case 'invalid_key':
      return wrong(`invalid name: it ${issue.issues[0]?.message ?? 'is not valid'}.`);
    case 'too_small':
      return wrong(
        issue.origin === 'array' || issue.origin === 'string'
          ? 'must not be empty.'
          : `must be at least ${issue.minimum}.`,
      );
    case 'too_big':
      return wrong(`must be at most ${issue.maximum}.`);
    case 'invalid_format':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'custom':
      return wrong(`${issue.message}.`);
  }
}

/** For a union, reports the issues of the closest variant: the one of the value's own type. */
function issueToUnion(
  branches: readonly (readonly Issue[])[],
  path: ConfigPath,
  document: ConfigDocument,
  schema: JsonSchema,
): ConfigProblem[] | undefined {
  const isOtherKind = (issue: Issue): boolean => issue.code === 'invalid_type' && issue.path.length === 0;
  const fitting = branches.filter((issues) => !issues.some(isOtherKind));
  const [closest] = fitting.toSorted((a, b) => a.length - b.length);
  return closest?.flatMap((issue) => issueToProblems(issue, path, document, schema));
}

function unknownKey(key: string, above: ConfigPath, document: ConfigDocument, schema: JsonSchema): ConfigProblem {
  const path = [...above, key];
  const keys = [...keysAt(schema, above)];
  const place = { file: document.file, ...document.placeOf(path, 'key') };
  return problemAt(
    place,
    path,
    'unknown-key',
    `unknown key "${key}"${suggestName(key, keys)}`,
    nearestName(key, keys),
  );
}

/** The keys that the schema allows at a path, across all variants. */
function keysAt(schema: JsonSchema, path: ConfigPath): Set<string> {
  let forms = formsOf(schema);
  for (const part of path) {
    forms = forms.flatMap((form) => {
      const properties = form['properties'] as Record<string, JsonSchema> | undefined;
      const next = typeof part === 'number' ? form['items'] : (properties?.[part] ?? form['additionalProperties']);
      return typeof next === 'object' && next !== null ? formsOf(next as JsonSchema) : [];
    });
  }
  return new Set(forms.flatMap((form) => Object.keys((form['properties'] as object | undefined) ?? {})));
}

function formsOf(schema: JsonSchema): JsonSchema[] {
  const forms = schema['anyOf'];
  return Array.isArray(forms) ? (forms as JsonSchema[]).flatMap(formsOf) : [schema];
}

const expectedKinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

function withArticle(expected: string): string {
  return expectedKinds[expected] ?? expected;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return expectedKinds[typeof value] ?? typeof value;
}
