/** Slash commands of a chat whose session is on a server: asked of the server, or read from the store they share. */
import type { LoadedConfig } from '../../agents/config-layers.ts';
import type { Client } from '../../client/client.ts';
import type { SessionId } from '../../kernel/ids.ts';
import type { ContextShare } from '../../views/context-share.ts';
import { contextLines } from '../sessions/context-lines.ts';
import { whyTurn } from '../sessions/why-turn.ts';
import { exportTarget } from '../slash/export-target.ts';
import { terminalOf } from '../terminal.ts';
import { usageError } from '../usage-error.ts';
import type { ServerCalls } from './server-calls.ts';
import { createServerSession } from './server-session.ts';

export interface ServerPlace {
  readonly client: Client;
  readonly calls: ServerCalls;
  readonly config: LoadedConfig;
  readonly cwd: string;
}

type Handler = (args: Readonly<Record<string, string>>, session: SessionId, place: ServerPlace) => Promise<string>;

export const serverCommands: Readonly<Record<string, Handler>> = {
  async why({ event }, session, { client, calls, config, cwd }) {
    const number = event === undefined ? undefined : Number(event);
    if (number !== undefined && !Number.isInteger(number))
      throw usageError(`/why takes an event's number, not "${event}"`);
    const { events: read } = createServerSession(session, client, calls);
    const why = await whyTurn(read, { tools: 'all', config, cwd, ...(number !== undefined && { event: number }) });
    return why?.lines.join('\n') ?? 'There is no prompt whose intent was worked out.';
  },
  async compact({ keep }, session, { client }) {
    await client.send(session, { type: 'compact', ...(keep !== undefined && { keep }) });
    return 'The conversation is being summed up; its end is told here.';
  },
  async context(_, session, { calls }) {
    const share = await calls.get<ContextShare>(`/sessions/${session}/context`);
    return contextLines(share, terminalOf(process.stdout)).join('\n');
  },
  async export({ file }, session, { calls, cwd }) {
    const { to, format } = exportTarget(file, { session, cwd });
    await calls.download(`/sessions/${session}/export`, { format }, to);
    return to;
  },
};
