/**
 * What MCP servers offer to people: prompts as commands (`/mcp__server__prompt words`) and resources as mentions
 * (`@server:uri`). Their text joins the prompt as attachments, read when the prompt is sent.
 */
import type { Attachment } from '../../kernel/content.ts';

interface PromptCommand {
  readonly name: string;
  readonly summary: string;
  readonly hint?: string;
  readonly from: 'mcp';
}

interface ResourceMention {
  /** What follows `@`. */
  readonly mention: string;
  readonly title: string;
}

/** Undefined if the text names nothing of a server. A string explains what can't be had. */
type ExpandedText = readonly Attachment[] | string | undefined;

export interface ServerTexts {
  commands(): Promise<readonly PromptCommand[]>;
  mentions(): Promise<readonly ResourceMention[]>;
  expand(text: string): Promise<ExpandedText>;
}

/** Prompts of several sets of servers: the first set that has a command answers it. */
export function joinTexts(all: readonly ServerTexts[]): ServerTexts {
  return {
    commands: async () => (await Promise.all(all.map((one) => one.commands()))).flat(),
    mentions: async () => (await Promise.all(all.map((one) => one.mentions()))).flat(),
    async expand(text) {
      const expansions = await Promise.all(all.map((one) => one.expand(text)));
      const attachments = expansions.filter((one) => one !== undefined && typeof one !== 'string').flat();
      return attachments.length > 0 ? attachments : expansions.find((one) => one !== undefined);
    },
  };
}

export const commandShape = /^\s*\/(mcp__[\w-]+)(?:\s+([\s\S]*))?$/;
export const mentionShape = /(?:^|[\s([{"'])@([A-Za-z0-9_-]{1,40}):([^\s"']+)/g;

/** True if expanding the text may need a server. */
export function mayNameServer(text: string): boolean {
  return commandShape.test(text) || text.search(mentionShape) !== -1;
}
