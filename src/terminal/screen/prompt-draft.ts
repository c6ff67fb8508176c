/** The draft with its pasted texts and pictures. */
import type { Editor } from '@earendil-works/pi-tui';

import type { Attachment } from '../../kernel/content.ts';
import { createDraftAttachments } from '../chat/draft-attachments.ts';
import { droppedPath } from '../chat/pasted-text.ts';

interface PromptDraft {
  /** Puts pasted text, or the picture whose path it is, into the draft. */
  paste(text: string): void;
  /** Puts the clipboard's picture into the draft. */
  pastePicture(): Promise<void>;
  removeMark(): boolean;
  openPasted(): boolean;
  /** What to submit for a draft. */
  submitted(text: string): { readonly text: string; readonly attachments: readonly Attachment[] };
  /** With all pasted text in place, for the editor and the history. */
  expanded(): string;
}

interface PromptDraftParts {
  readonly editor: Editor;
  readonly cwd: string;
  readonly show: (title: string, text: string) => void;
  readonly hint: (text: string) => void;
  readonly changed: () => void;
}

export function createPromptDraft({ editor, cwd, show, hint, changed }: PromptDraftParts): PromptDraft {
  const attachments = createDraftAttachments();
  const place = () => {
    const { line, col } = editor.getCursor();
    return { line: editor.getLines()[line] ?? '', col };
  };
  return {
    paste(text) {
      const path = droppedPath(text);
      if (path === undefined) return editor.insertTextAtCursor(attachments.addText(text));
      void import('./clipboard-picture.ts')
        .then(({ filePicture }) => filePicture(path, cwd))
        .then((picture) => {
          editor.insertTextAtCursor(picture === undefined ? text : attachments.addPicture(picture));
          changed();
        });
    },
    async pastePicture() {
      const { clipboardPicture } = await import('./clipboard-picture.ts');
      const picture = await clipboardPicture(process.platform);
      if (picture === undefined) return hint('No picture on the clipboard. Paste the path of one instead.');
      editor.insertTextAtCursor(`${attachments.addPicture(picture)} `);
      changed();
    },
    removeMark() {
      const { line, col } = place();
      const mark = attachments.markBefore(line, col);
      for (const _ of mark ?? '') editor.handleInput('\u007F');
      return mark !== undefined;
    },
    openPasted() {
      const { line, col } = place();
      const found = attachments.textAt(line, col);
      if (found !== undefined) show(found.mark.slice(1, -1), found.text);
      return found !== undefined;
    },
    submitted(text) {
      const carried = attachments.of(text);
      // A command's words are its arguments, so a pasted text is one of them.
      if (!/^[/!]/.test(text)) return { text, attachments: carried };
      const pictures = carried.filter(({ mediaType }) => mediaType.startsWith('image/'));
      return { text: attachments.expanded(text), attachments: pictures };
    },
    expanded: () => attachments.expanded(editor.getExpandedText()),
  };
}
