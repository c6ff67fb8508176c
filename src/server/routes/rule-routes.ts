/** Rules that people allowed "always". */
import { failed } from '../outcome.ts';
import { notThere, ok, param, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function ruleRoutes({ catalog: { rules }, cwd }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/rules',
      operation: 'listRules',
      summary: 'List rules saved by "always", and the standing rules of the configuration',
      role: 'viewer',
      async handle() {
        if (rules === undefined) return notThere('/rules');
        const [saved, standing = []] = await Promise.all([rules.list(), rules.standing?.(cwd)]);
        return ok({ rules: saved, standing });
      },
    },
    {
      method: 'DELETE',
      path: '/rules/:id',
      operation: 'revokeRule',
      isForPeople: true,
      summary: 'Revoke a saved rule',
      role: 'owner',
      status: 204,
      async handle(call) {
        if (rules === undefined) return notThere('/rules');
        const id = param(call, 'id');
        return (await rules.revoke(id))
          ? { type: 'json', status: 204 }
          : failed('NOT_FOUND', `Unknown rule ${id}.`);
      },
    },
  ];
}
