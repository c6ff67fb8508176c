/** Modes and options of a session's external agent. */
import { agentSettingSchema, type WireInput } from '../../protocol/input-schema.ts';
import { routeAnswer, ok, param, type Route } from '../route.ts';
import type { RouteParts } from './route-parts.ts';

export function agentRoutes({ operations }: RouteParts): readonly Route[] {
  return [
    {
      method: 'GET',
      path: '/sessions/:id/agent-settings',
      operation: 'getAgentSettings',
      summary: "Get the external agent's mode and options",
      role: 'viewer',
      handle: async (call) =>
        routeAnswer(await operations.find(param(call, 'id')), async (session) => {
          const { agent, agentSettings = {} } = await session.status();
          return ok({ agent, ...agentSettings });
        }),
    },
    {
      method: 'PUT',
      path: '/sessions/:id/agent-settings',
      operation: 'setAgentSetting',
      summary: "Set one of the external agent's modes or options",
      role: 'approver',
      body: agentSettingSchema,
      status: 202,
      takesKey: true,
      handle: async (call) => {
        const input = { type: 'agent-setting', setting: call.body } as Extract<
          WireInput,
          { type: 'agent-setting' }
        >;
        return routeAnswer(await operations.input(call.by, param(call, 'id'), input, call.key), (value) =>
          ok(value, 202),
        );
      },
    },
  ];
}
