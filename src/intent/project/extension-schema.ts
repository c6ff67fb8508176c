/** The schema of a project's additions in `.rondo/intent/`. Loaded only if there are any. */
import { z } from 'zod';

import { atomCategories, dimensions } from '../words/prompt-atom.ts';

const words = z.array(z.string().min(1));

export const verbsSchema = z.strictObject({
  verbs: z.record(
    z.string().regex(/^[a-z][a-z0-9_]*$/),
    z.strictObject({
      category: z.enum(['query', 'mutation', 'instruction']),
      persona: z.string(),
      priority: z.number().min(0).max(110),
      synonyms: words.default([]),
      patterns: words.default([]),
      shapes: words.optional(),
      closing: z.boolean().optional(),
    }),
  ),
  aliases: z.record(z.string(), z.string()).default({}),
});

export const configsSchema = z.strictObject({
  configs: z.array(
    z.strictObject({
      for: z.string(),
      tools: words,
      policies: z
        .array(
          z.strictObject({ verdict: z.enum(['ask', 'deny']), rule: z.string(), unless: words.exactOptional() }),
        )
        .default([]),
      model: z.enum(['fast', 'strong']).optional(),
      priority: z.number(),
    }),
  ),
});

export const atomsSchema = z.strictObject({
  atoms: z.array(
    z.strictObject({
      id: z.string().min(1),
      version: z.number().int().default(1),
      category: z.enum(atomCategories),
      content: z.string().min(1),
      concise: z.string().optional(),
      min: z.string().optional(),
      priority: z.number(),
      mandatory: z.boolean().default(false),
      exclusiveGroup: z.string().optional(),
      dependsOn: words.default([]),
      conflictsWith: words.default([]),
      when: z.partialRecord(z.enum(dimensions), words).default({}),
    }),
  ),
});
