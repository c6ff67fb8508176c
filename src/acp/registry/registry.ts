/** The list of agents in the format of the ACP registry. Unknown fields are ignored, unusable entries are skipped. */
import { z } from 'zod';

import { fieldsOf } from '../../kernel/json-object.ts';

/** A package with an exact version, such as `@scope/name@1.2.3`. */
const pinnedPackage = z
  .string()
  .regex(/^(@\w[\w.-]*\/)?\w[\w.-]*@\d+\.\d+\.\d+[\w.+-]*$/, 'must name an exact version');

const start = {
  args: z.array(z.string()).exactOptional(),
  env: z.record(z.string(), z.string()).exactOptional(),
};

const entry = z.object({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,60}$/),
  name: z.string().min(1),
  /** Part of a path, so it is no `..`. */
  version: z.string().regex(/^\w[\w.+-]{0,59}$/, 'must have a plain version'),
  description: z.string().default(''),
  repository: z.string().exactOptional(),
  distribution: z.object({
    npx: z.object({ package: pinnedPackage, ...start }).exactOptional(),
    binary: z
      .record(
        z.string(),
        z.object({
          archive: z.string().min(1),
          cmd: z.string().min(1),
          /** Hexadecimal. If present, the archive must match. */
          sha256: z
            .string()
            .regex(/^[0-9a-f]{64}$/)
            .exactOptional(),
          ...start,
        }),
      )
      .exactOptional(),
  }),
});

export type RegistryAgent = z.output<typeof entry>;

export interface Registry {
  readonly agents: readonly RegistryAgent[];
  /** Entries that can't be used, and why. */
  readonly problems: readonly string[];
}

/** A string explains why the text isn't a registry. */
export function parseRegistry(text: string): Registry | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return `it isn't JSON: ${(error as Error).message}`;
  }
  const list = z.object({ agents: z.array(z.unknown()) }).safeParse(value);
  if (!list.success) return 'it has no list `agents`';
  const read = list.data.agents.map((one) => ({ one, parsed: entry.safeParse(one) }));
  return {
    agents: read.flatMap(({ parsed }) => (parsed.success ? [parsed.data] : [])),
    problems: read.flatMap(({ one, parsed }) =>
      parsed.success ? [] : [`${nameOf(one)}: ${parsed.error.issues[0]?.message ?? 'invalid'}`],
    ),
  };
}

/** Agents whose id, name or description has the words. */
export function matching({ agents }: Registry, words: string): readonly RegistryAgent[] {
  const wanted = words.toLowerCase();
  return agents.filter(({ id, name, description }) =>
    `${id} ${name} ${description}`.toLowerCase().includes(wanted),
  );
}

function nameOf(one: unknown): string {
  const { id } = fieldsOf(one);
  return typeof id === 'string' ? id : 'an entry without id';
}
