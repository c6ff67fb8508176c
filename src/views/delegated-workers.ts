import type { Body } from '../kernel/content.ts';
import { argumentsOf } from './call-arguments.ts';

/** The workers that a `delegate` call names. Its arguments come from a model, so anything else is left out. */
export function delegatedWorkers(args: Body): readonly { readonly name: string; readonly objective: string }[] {
  const list = argumentsOf(args)?.['workers'];
  if (!Array.isArray(list)) return [];
  return list.flatMap((one: unknown) => {
    const { name, objective } = (one ?? {}) as { readonly name?: unknown; readonly objective?: unknown };
    return typeof name === 'string' ? [{ name, objective: typeof objective === 'string' ? objective : '' }] : [];
  });
}
