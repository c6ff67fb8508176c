/** `rondo import --from TOOL`: conversations that another agent recorded on this machine. */
import { realpath } from 'node:fs/promises';

import { resolveSessionId } from '../../session/read/resolve-session-id.ts';
import { findTranscripts, otherTools, type OtherTool } from '../../upkeep/transcripts/find-transcripts.ts';
import type { OtherTranscript } from '../../upkeep/transcripts/transcript.ts';
import { counted } from '../../wording/counted.ts';
import { suggestName } from '../../kernel/nearest-name.ts';
import { printJson } from '../print-json.ts';
import type { StoreChoice } from '../sessions/stored-sessions.ts';
import { usageError } from '../usage-error.ts';
import { importedId, recordedBundle } from './recorded-bundle.ts';
import { openSessionStore } from './stored-session-store.ts';

export interface ImportFromOptions extends StoreChoice {
  /** The person's home folder. */
  readonly home: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

interface ImportedConversation {
  readonly session: string;
  readonly from: string;
  readonly turns: number;
  /** Entries that weren't understood; their text is kept. */
  readonly unknown: number;
}

export async function importFrom(tool: string, options: ImportFromOptions): Promise<number> {
  if (!isOtherTool(tool)) throw usageError(`can't import from "${tool}"${suggestName(tool, otherTools)}`);
  const transcripts = await findTranscripts(tool, options.home);
  const cwd = await realpath(options.cwd ?? process.cwd());
  await using opened = await openSessionStore(options);
  const imported: ImportedConversation[] = [];
  const problems: string[] = [];
  let present = 0;
  let elsewhere = 0;
  for (const { place, read } of transcripts) {
    try {
      const transcript = await read();
      if (transcript.turns.length === 0) continue;
      if (options.all !== true && !isOf(transcript, cwd)) elsewhere += 1;
      else if ((await resolveSessionId(opened.store.journal, importedId(tool, transcript))) !== undefined)
        present += 1;
      else {
        const bundle = await recordedBundle(tool, transcript);
        const report = await opened.sessions.import(() => textOf(bundle), { name: place });
        const [main] = report.sessions;
        const { turns, unknown } = transcript;
        imported.push({ session: main?.session ?? '', from: place, turns: turns.length, unknown });
      }
    } catch (error) {
      problems.push(`${place}: ${(error as Error).message}`);
    }
  }
  if (options.json === true) printJson({ imported, present, elsewhere, problems });
  else for (const { session } of imported) console.log(session);
  for (const note of notesOn({ tool, imported, present, elsewhere })) console.error(`rondo import: ${note}`);
  for (const problem of problems) console.error(`rondo import: can't import ${problem}`);
  return problems.length === 0 ? 0 : 1;
}

function isOtherTool(name: string): name is OtherTool {
  return (otherTools as readonly string[]).includes(name);
}

/** Gemini CLI records no folder: its conversations count everywhere. */
function isOf({ cwd }: OtherTranscript, folder: string): boolean {
  return cwd === undefined || cwd === folder || cwd.startsWith(`${folder}/`);
}

async function* textOf(pieces: readonly (string | Uint8Array)[]): AsyncIterable<string> {
  const decoder = new TextDecoder();
  for (const piece of pieces) yield typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
}

function notesOn(done: {
  readonly tool: string;
  readonly imported: readonly ImportedConversation[];
  readonly present: number;
  readonly elsewhere: number;
}): readonly string[] {
  const { tool, imported, present, elsewhere } = done;
  const unknown = imported.reduce((sum, one) => sum + one.unknown, 0);
  const [first] = imported;
  return [
    imported.length === 0 && present === 0 && elsewhere === 0
      ? `${tool} has recorded no conversation on this machine`
      : `${counted(imported.length, 'conversation')} imported from ${tool}`,
    ...(present === 0 ? [] : [`${counted(present, 'conversation')} already here`]),
    ...(elsewhere === 0
      ? []
      : [`${counted(elsewhere, 'conversation')} of other folders left out; --all imports them`]),
    ...(unknown === 0 ? [] : [`${counted(unknown, 'part')} not understood and kept as text`]),
    ...(first === undefined
      ? []
      : [`only the history was imported; continue with: rondo run --session ${first.session}`]),
  ];
}
