import type { Tool } from '../ports/tool.ts';
import { createAskUserTool } from './talk/ask-user-tool.ts';
import { createDeleteTool } from './files/delete-tool.ts';
import { createEditTool } from './files/edit-tool.ts';
import { createGitCommitTool } from './git/git-commit-tool.ts';
import { createGitDiffTool } from './git/git-diff-tool.ts';
import { createGitLogTool } from './git/git-log-tool.ts';
import { createGitStatusTool } from './git/git-status-tool.ts';
import { createGlobTool } from './search/glob-tool.ts';
import { createGrepTool } from './search/grep-tool.ts';
import { createListTool } from './search/list-tool.ts';
import { createNotesTool, type NoteStore } from './talk/notes-tool.ts';
import type { ReadLedger } from './define/read-ledger.ts';
import { createReadTool } from './files/read-tool.ts';
import { createRunTestsTool } from './tests/run-tests-tool.ts';
import { createShellTool, type ShellOptions } from './shell/shell-tool.ts';
import { createWebFetchTool, type WebFetchOptions } from './web/web-fetch-tool.ts';
import { createWebSearchTool, type SearchProvider } from './web/web-search-tool.ts';
import { createWriteTool } from './files/write-tool.ts';

export interface DefaultToolOptions {
  /** Shared by read, write, edit and delete. One ledger may serve all sessions of a process. */
  readonly ledger: ReadLedger;
  readonly notes: NoteStore;
  readonly shell?: ShellOptions;
  readonly webFetch?: WebFetchOptions;
  readonly searchProvider?: SearchProvider;
}

/** Creates every built-in tool. Their only session state is the ledger and the notes. */
export function createDefaultTools(options: DefaultToolOptions): readonly Tool[] {
  const { ledger, notes, searchProvider } = options;
  const confining = options.shell?.sandbox === undefined ? {} : { sandbox: options.shell.sandbox };
  return [
    createReadTool({ ledger }),
    createWriteTool({ ledger, ...confining }),
    createEditTool({ ledger, ...confining }),
    createDeleteTool({ ledger, ...confining }),
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
}
