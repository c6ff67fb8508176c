/**
 * A request as a text that the user can edit before it applies: the file as it would be, the command, or the arguments.
 * Undefined if the call isn't Rondo's to change.
 */
import path from 'node:path';

import { argumentsOf, type CallArguments } from '../../views/call-arguments.ts';
import { afterEdits } from '../../views/call-changes.ts';
import { editBetween } from '../../views/edit-between.ts';
import type { OpenQuestion } from '../../views/open-question.ts';

interface Proposal {
  /** Names the temporary file, so that the editor knows its language. */
  readonly name: string;
  readonly text: string;
  /** The call's arguments with the edited text, as JSON. Undefined if nothing changed. */
  readonly apply: (edited: string) => string | undefined;
}

/** `args`: the whole arguments. `before`: the content of the file that the call changes, if known. */
export function proposalOf(
  { about }: Pick<OpenQuestion, 'about'>,
  args: string,
  before: string | undefined,
): Proposal | undefined {
  if (about.type !== 'approval' || about.request !== undefined) return undefined;
  const given = argumentsOf(args);
  if (given === undefined) return undefined;
  const { command, path: file, content } = given;
  const name = typeof file === 'string' ? path.basename(file) : 'proposal';
  if (about.tool === 'shell' && typeof command === 'string')
    return proposal('command.sh', command, (text) => ({ ...given, command: text.replace(/\n$/, '') }));
  if (about.tool === 'write' && typeof content === 'string')
    return proposal(name, content, (text) => ({ ...given, content: text }));
  const after = about.tool === 'edit' && before !== undefined ? afterEdits(before, given) : undefined;
  if (before !== undefined && after !== undefined)
    return proposal(name, after, (text) => {
      const edit = editBetween(before, text);
      return edit === undefined ? undefined : { ...given, edits: [{ old_text: edit.old, new_text: edit.fresh }] };
    });
  return proposal('arguments.json', `${JSON.stringify(given, undefined, 2)}\n`, (text) => argumentsOf(text));
}

function proposal(name: string, text: string, change: (edited: string) => CallArguments | undefined): Proposal {
  return {
    name,
    text,
    apply(edited) {
      // Editors end a file with a line break.
      if (edited === text || edited === `${text}\n`) return undefined;
      const args = change(edited);
      return args === undefined ? undefined : JSON.stringify(args);
    },
  };
}
