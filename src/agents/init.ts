import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Fault } from '../kernel/fault.ts';

export type InitResult =
  | { readonly type: 'written'; readonly file: string }
  /** Nothing was changed. */
  | { readonly type: 'exists'; readonly file: string };

/** What `rondo init` does: a first configuration with comments. It never overwrites one. */
export async function writeFirstConfig(folder: string): Promise<InitResult> {
  const file = path.join(folder, 'rondo.json');
  const other = path.join(folder, '.rondo', 'config.json');
  if (await stat(other).catch(() => undefined)) return { type: 'exists', file: other };
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(file, firstConfig, { flag: 'wx' });
    return { type: 'written', file };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return { type: 'exists', file };
    throw new Fault(
      'read-only',
      `Writing ${file} failed: ${(cause as Error).message}. Choose a folder that you can write to with --cwd.`,
      { cause },
    );
  }
}

export const firstConfig = `// Rondo's configuration for this project. Everything here is optional: take out what you do not need.
// "rondo config schema" prints the JSON Schema, "rondo config show --origin" what holds and why.
// Others who clone this project are asked to trust it ("rondo trust") before it can start anything.
{
  // The agent of sessions that name none.
  "defaultAgent": "assistant",

  // What agents may do here. deny beats ask, ask beats allow, and what no rule names is asked.
  // A rule is a tool, or a tool with a pattern: "*" matches within a path part, "**" across them.
  "policies": {
    "default": {
      "allow": ["shell(git status*)", "shell(git diff*)", "shell(git log*)"],
      "ask": [],
      "deny": ["write(.env*)", "edit(.env*)"],
    },
  },

  // Hard limits; reaching one ends the turn and says so.
  "limits": {
    "steps": 50,
    "toolCalls": 50,
    // "cost": 2.5, // US dollars a session
  },

  // Agents of your own. They may also be Markdown files: .rondo/agents/<name>.md
  // "agents": {
  //   "reviewer": {
  //     "description": "Reads changes and says what is wrong with them.",
  //     "model": "anthropic/claude-sonnet-4-5",
  //     "prompt": "reviewer",
  //     "tools": { "only": ["read", "list", "glob", "grep", "git_diff", "git_log"] },
  //     "resources": ["docs/style.md"],
  //   },
  // },
  // "prompts": { "reviewer": "You review changes …" },

  // Where models are served. Keys in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …) and a local
  // Ollama are found without this.
  // "endpoints": {
  //   "local": { "type": "openai-compatible", "baseUrl": "http://127.0.0.1:8080/v1" },
  // },
  // "models": {
  //   "fast": { "endpoint": "local", "model": "qwen3-8b", "temperature": 0.2 },
  // },

  // Tools from MCP servers, in the format that other programs use.
  // "mcpServers": {
  //   "tickets": { "command": "npx", "args": ["-y", "tickets-mcp"], "env": { "TOKEN": "\${TICKETS_TOKEN}" } },
  // },
}
`;
