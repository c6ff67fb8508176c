import { mkdir, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { Fault } from '../kernel/fault.ts';

type InitResult =
  | { readonly type: 'written'; readonly file: string }
  /** Nothing was changed. */
  | { readonly type: 'exists'; readonly file: string };

/** Implements `rondo init`: writes a commented configuration and never overwrites one. */
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
      `Can't write ${file}: ${(cause as Error).message}. Choose a writable folder with --cwd.`,
      { cause },
    );
  }
}

export const firstConfig = `// Rondo's configuration for this project. Everything here is optional: remove what you don't need.
// "rondo config schema" prints the JSON Schema, "rondo config show --origin" the effective values and their origin.
// People who clone this project must trust it ("rondo trust") before it can start anything.
{
  // Agent for sessions that don't name one.
  "defaultAgent": "assistant",

  // What agents may do here. deny beats ask, ask beats allow. Anything else asks.
  // A rule is a tool, or a tool with a pattern: "*" matches within a path segment, "**" across segments.
  "policies": {
    "default": {
      "allow": ["shell(git status*)", "shell(git diff*)", "shell(git log*)"],
      "ask": [],
      "deny": ["write(.env*)", "edit(.env*)"],
    },
  },

  // Hard limits. Reaching one ends the turn and names the limit.
  "limits": {
    "steps": 50,
    "toolCalls": 50,
    // "cost": 2.5, // US dollars per session
  },

  // Your own agents. They can also be Markdown files: .rondo/agents/<name>.md
  // "agents": {
  //   "reviewer": {
  //     "description": "Reviews changes.",
  //     "model": "anthropic/claude-sonnet-4-5",
  //     "prompt": "reviewer",
  //     "tools": { "only": ["read", "list", "glob", "grep", "git_diff", "git_log"] },
  //     "resources": ["docs/style.md"],
  //   },
  // },
  // "prompts": { "reviewer": "You review changes …" },

  // Model servers. Rondo finds keys in the environment (ANTHROPIC_API_KEY, OPENAI_API_KEY, …) and a local
  // Ollama without this.
  // "endpoints": {
  //   "local": { "type": "openai-compatible", "baseUrl": "http://127.0.0.1:8080/v1" },
  // },
  // "models": {
  //   "fast": { "endpoint": "local", "model": "qwen3-8b", "temperature": 0.2 },
  // },

  // MCP servers, in the common format.
  // "mcpServers": {
  //   "tickets": { "command": "npx", "args": ["-y", "tickets-mcp"], "env": { "TOKEN": "\${TICKETS_TOKEN}" } },
  // },
}
`;
