import { z } from 'zod';

import type { Tool } from '../../ports/tool.ts';
import { builtinTool } from '../define/builtin-tool.ts';
import { failure } from '../define/tool-failure.ts';

/** Stores a session's notes. Adding a note under an existing id changes nothing. */
export interface NoteStore {
  list(session: string): Promise<readonly SavedNote[]>;
  add(session: string, note: SavedNote): Promise<void>;
  clear(session: string): Promise<void>;
}

export interface SavedNote {
  readonly id: string;
  readonly text: string;
}

/** Notes that live as long as the process, for tests and simple programs. */
export function createMemoryNotes(): NoteStore {
  const sessions = new Map<string, Map<string, SavedNote>>();
  return {
    list: async (session) => [...(sessions.get(session)?.values() ?? [])],
    add: async (session, note) => {
      const notes = sessions.get(session) ?? new Map<string, SavedNote>();
      if (!notes.has(note.id)) notes.set(note.id, note);
      sessions.set(session, notes);
    },
    clear: async (session) => {
      sessions.delete(session);
    },
  };
}

const schema = () =>
  z.strictObject({
    action: z.enum(['read', 'add', 'clear']).describe('read: all notes. add: one more. clear: forget them all.'),
    text: z.string().min(1).max(10_000).optional().describe('The note to add.'),
  });

const MOST_CHARACTERS = 100_000;

/** Notes that an agent keeps during a session. They survive compaction of the conversation. */
export function createNotesTool(deps: { readonly notes: NoteStore }): Tool {
  return builtinTool({
    name: 'notes',
    description:
      'Keeps notes for this session: plans, findings, what is still to do. They are not files and nobody else changes them.',
    schema,
    describe: (args) => ({
      access: args.action === 'read' ? 'read' : 'talk',
      repeat: args.action === 'clear' ? 'never' : 'safe',
      order: args.action === 'read' ? 'parallel' : 'exclusive',
      runs: 'tool',
    }),
    run: async (args, context) => {
      const notes = await deps.notes.list(context.session);
      switch (args.action) {
        case 'read': {
          const lines = notes.map(({ text }, index) => `${index + 1}. ${text}`);
          return { type: 'success', output: lines.length === 0 ? '[No notes yet.]' : lines.join('\n') };
        }
        case 'add': {
          if (args.text === undefined) return failure('invalid-arguments', 'Pass text to add a note.');
          const size = notes.reduce((sum, { text }) => sum + text.length, args.text.length);
          if (size > MOST_CHARACTERS)
            return failure('full', 'The notes are full. Clear them, then add what still matters.');
          await deps.notes.add(context.session, { id: context.effect, text: args.text });
          return { type: 'success', output: 'Noted.' };
        }
        case 'clear':
          await deps.notes.clear(context.session);
          return { type: 'success', output: `${notes.length} notes were cleared.` };
      }
    },
  });
}
