/**
 * What an editor does with sessions, in any version of the protocol. Everything here is answered with the protocol's
 * own errors.
 */
import path from 'node:path';

import { RequestError, type McpServer } from '@agentclientprotocol/sdk';

import { resultLines } from '../../commands/lines/result-lines.ts';
import { commandForPeople, commandsOf, runSlashCommand } from '../../commands/run-command.ts';
import type { Actor } from '../../kernel/actor.ts';
import { optional } from '../../kernel/optional.ts';
import type { ClientInput } from '../../session/client-input.ts';
import { sessionAs } from '../../session/handle/session-as.ts';
import type { Session } from '../../session/handle/session.ts';
import { additionalDirectories } from './additional-directories.ts';
import type { AgentHost, ListedSession } from './agent-host.ts';
import type { EditorClient } from './editor-client.ts';
import { tellingFaults } from './fault-response.ts';
import { createOpenSessions, type SessionSettings } from './open-sessions.ts';
import type { PromptContent } from './prompt-content.ts';
import { optionInput } from './session-options.ts';
import type { History } from './session-feed.ts';
import type { SentPrompt } from './turn-waiters.ts';

/** What the editor gives a session while it has it open. */
export interface Opening {
  readonly client: EditorClient;
  readonly servers?: readonly McpServer[];
  readonly folders?: readonly string[];
}

type Prompted =
  | { readonly type: 'sent'; readonly prompt: SentPrompt }
  /** A command that needed no turn. */
  | { readonly type: 'said'; readonly message: string };

export function createEditorSessions(host: AgentHost) {
  const commands = commandsOf('lines');
  const open = createOpenSessions(host, commands);
  const actorType = host.mayDecide ? 'person' : 'program';
  let by: Actor = { type: actorType, name: 'acp' };

  async function find(id: string): Promise<Session> {
    const session = await tellingFaults(() => host.get(id));
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  async function attach(
    session: Session,
    { client, servers = [], folders }: Opening,
    history: History,
  ): Promise<SessionSettings> {
    return open.attach(session, { client, by, servers, history, folders: await additionalDirectories(folders) });
  }

  function checkMayDecide(what: string): void {
    if (!host.mayDecide)
      throw RequestError.invalidRequest(
        undefined,
        `${what} is for people, and an agent's session runs this program.`,
      );
  }

  async function change(id: string, input: ClientInput): Promise<void> {
    checkMayDecide('Changing a setting');
    const receipt = await open.opened(id).session.send(input, { by });
    if (receipt.type === 'refused') throw RequestError.invalidParams(undefined, receipt.refusal.message);
  }

  return {
    /** The editor's name, for the journal. */
    meet: (name: string | undefined) => void (by = { type: actorType, name: name ?? 'acp' }),
    async create(cwd: string, opening: Opening) {
      if (!path.isAbsolute(cwd)) throw RequestError.invalidParams(undefined, `cwd must be absolute, not ${cwd}`);
      // Before the session exists: invalid folders leave nothing behind.
      await additionalDirectories(opening.folders);
      const session = await tellingFaults(() => host.create({ cwd, by }));
      return { sessionId: session.id, ...(await attach(session, opening, 'new')) };
    },
    async resume(id: string, opening: Opening, history: History) {
      return attach(await find(id), opening, history);
    },
    async fork(id: string, opening: Opening) {
      await find(id);
      const session = await tellingFaults(() => host.fork(id, by));
      return { sessionId: session.id, ...(await attach(session, opening, 'new')) };
    },
    async list({ cwd: wanted, cursor }: { readonly cwd?: string | null; readonly cursor?: string | null }) {
      const page = await host.list(typeof cursor === 'string' ? { cursor } : {});
      const sessions = page.entries
        .filter(({ cwd }) => typeof wanted !== 'string' || cwd === wanted)
        .filter((entry) => !isEmpty(entry))
        .map(({ session, cwd, title, updatedAt }) => ({
          sessionId: session,
          cwd,
          ...(title !== '' && { title }),
          updatedAt: new Date(updatedAt).toISOString(),
        }));
      return { sessions, ...optional({ nextCursor: page.next }) };
    },
    async close(id: string) {
      const { feed, session } = open.opened(id);
      open.forget(id);
      await feed.cancel();
      await feed.close();
      await session.close();
    },
    async delete(id: string) {
      const known = open.get(id);
      const session = known?.session ?? (await find(id));
      open.forget(id);
      await known?.feed.cancel();
      await session.wait({ whenAsked: 'return' });
      await known?.feed.close();
      await session.close();
      await tellingFaults(() => host.delete(id));
    },
    setMode: (id: string, mode: string) => change(id, { type: 'mode', mode }),
    async setOption(id: string, option: string, value: unknown) {
      const { session } = open.opened(id);
      const { configOptions } = await open.settings(open.opened(id));
      const status = await session.status();
      await change(session.id, optionInput(option, value, status, configOptions));
      return { configOptions: (await open.settings(open.opened(id))).configOptions };
    },
    async prompt(id: string, content: PromptContent): Promise<Prompted> {
      const { session, feed, cwd } = open.opened(id);
      if (content.attachments.length === 0) {
        const forPeople = commandForPeople(content.text);
        if (forPeople !== undefined) checkMayDecide(forPeople);
        const place = { rondo: host.client(by), session: sessionAs(session, by), commands, save: host.save(cwd) };
        const result = await tellingFaults(() => runSlashCommand(content.text, place));
        if (result !== undefined) {
          const lines = await resultLines(result);
          return { type: 'said', message: await feed.say(content.text, lines.join('\n')) };
        }
      }
      return { type: 'sent', prompt: await tellingFaults(() => feed.prompt(content)) };
    },
    async withdraw(id: string, prompt: SentPrompt) {
      await open.get(id)?.feed.withdraw(prompt);
    },
    async cancel(id: string) {
      await open.get(id)?.feed.cancel();
    },
    closeAll: () => open.closeAll(),
  };
}

/** Editors open a session for every new chat, also for those that nobody uses. */
function isEmpty({ title, turns, queued }: ListedSession): boolean {
  return title === '' && turns === 0 && queued === 0;
}
