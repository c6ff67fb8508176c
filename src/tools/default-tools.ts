import type { Tool } from '../ports/tool.ts';
import { createAskUserTool } from './ask-user-tool.ts';
import { createDeleteTool } from './delete-tool.ts';
import { createEditTool } from './edit-tool.ts';
import { createGitCommitTool } from './git-commit-tool.ts';
import { createGitDiffTool } from './git-diff-tool.ts';
import { createGitLogTool } from './git-log-tool.ts';
import { createGitStatusTool } from './git-status-tool.ts';
import { createGlobTool } from './glob-tool.ts';
import { createGrepTool } from './grep-tool.ts';
import { createListTool } from './list-tool.ts';
import { createNotesTool, type NoteStore } from './notes-tool.ts';
import type { ReadLedger } from './read-ledger.ts';
import { createReadTool } from './read-tool.ts';
import { type Redaction, redactTool } from './redact-tool.ts';
import { createRunTestsTool } from './run-tests-tool.ts';
import { createShellTool, type ShellOptions } from './shell-tool.ts';
import { createWebFetchTool, type WebFetchOptions } from './web-fetch-tool.ts';
import { createWebSearchTool, type SearchProvider } from './web-search-tool.ts';
import { createWriteTool } from './write-tool.ts';

export interface DefaultToolOptions {
  /** Shared by read, write, edit and delete; one may serve all sessions of a process. */
  readonly ledger: ReadLedger;
  readonly notes: NoteStore;
  readonly shell?: ShellOptions;
  readonly webFetch?: WebFetchOptions;
  readonly searchProvider?: SearchProvider;
  /** Takes secrets out of everything the tools give back. */
  readonly redaction?: Redaction;
}

/** Every built-in tool. They keep nothing of a session but what is in the ledger and the notes. */
export function createDefaultTools(options: DefaultToolOptions): readonly Tool[] {
  const { ledger, notes, redaction, searchProvider } = options;
  const confining = options.shell?.sandbox === undefined ? {} : { sandbox: options.shell.sandbox };
  const tools = [
    createReadTool({ ledger }),
    createWriteTool({ ledger, ...confining }),
    createEditTool({ ledger, ...confining }),
    createDeleteTool({ ledger }),
    createListTool(),
    createGlobTool(),
    createGrepTool(),
    createShellTool(options.shell),
    createGitStatusTool(),
    createGitDiffTool(),
    createGitLogTool(),
    createGitCommitTool(confining),
    createRunTestsTool(confining),
    createWebFetchTool(options.webFetch),
    createWebSearchTool(searchProvider === undefined ? {} : { provider: searchProvider }),
    createNotesTool({ notes }),
    createAskUserTool(),
  ];
  return redaction === undefined ? tools : tools.map((tool) => redactTool(tool, redaction));
}
