/** Where other agents keep their transcripts, and which of them belong to a folder. */
import { existsSync } from 'node:fs';
import { glob, lstat, readFile } from 'node:fs/promises';
import path from 'node:path';

import { readClaudeTranscript } from './claude-transcript.ts';
import { readCodexTranscript } from './codex-transcript.ts';
import { readGeminiTranscript } from './gemini-transcript.ts';
import type { FoundTranscript, OtherTranscript } from './transcript.ts';

export const otherTools = ['claude', 'codex', 'gemini', 'opencode'] as const;
export type OtherTool = (typeof otherTools)[number];

interface FilesOfTool {
  readonly below: string;
  readonly pattern: string;
  readonly read: (text: string, id: string) => OtherTranscript;
}

const files: Readonly<Record<Exclude<OtherTool, 'opencode'>, FilesOfTool>> = {
  claude: { below: '.claude/projects', pattern: '*/*.jsonl', read: readClaudeTranscript },
  codex: { below: '.codex/sessions', pattern: '**/rollout-*.jsonl', read: readCodexTranscript },
  gemini: { below: '.gemini/tmp', pattern: '*/chats/session-*.json*', read: readGeminiTranscript },
};

/** A transcript of this size would be rebuilt for minutes, and no model could read it. */
const mostBytes = 256 * 1024 * 1024;

/** All transcripts of a tool, oldest first. Empty if the tool has none. */
export async function findTranscripts(tool: OtherTool, userHome: string): Promise<readonly FoundTranscript[]> {
  if (tool === 'opencode') {
    const { findOpencodeTranscripts } = await import('./opencode-database.ts');
    const place = path.join(userHome, '.local/share/opencode/opencode.db');
    try {
      return findOpencodeTranscripts(place);
    } catch (error) {
      return [{ place, read: () => Promise.reject(error) }];
    }
  }
  const { below, pattern, read } = files[tool];
  const folder = path.join(userHome, below);
  if (!existsSync(folder)) return [];
  const candidates: { readonly place: string; readonly changedAt: number }[] = [];
  for await (const relative of glob(pattern, { cwd: folder })) {
    const place = path.join(folder, relative);
    const found = await lstat(place).catch(() => undefined);
    if (found !== undefined) candidates.push({ place, changedAt: found.mtimeMs });
  }
  return candidates
    .toSorted((a, b) => a.changedAt - b.changedAt)
    .map(({ place }) => ({
      place,
      read: async () => read(await textOf(place), path.basename(place).replace(/\.jsonl?$/, '')),
    }));
}

/** A pipe or device would be read forever, and a link may lead to something else. */
async function textOf(place: string): Promise<string> {
  const found = await lstat(place);
  if (!found.isFile()) throw new Error("it isn't a plain file");
  if (found.size > mostBytes) throw new Error('it has more than 256 MB');
  return readFile(place, 'utf8');
}
