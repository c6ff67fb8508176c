import { z } from 'zod';

/** A commit, branch, tag or range as an argument. Rejects text that git could read as an option. */
export const revision = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w@.^~/{}+-]+$/, 'is not a commit or branch')
  .refine((text) => !text.startsWith('-'), 'must not begin with a dash');
