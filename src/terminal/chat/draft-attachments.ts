/**
 * Long pastes and pictures of the draft. The draft holds a short mark for each, such as `[Pasted 10,000 lines]`; the
 * prompt carries their content.
 */
import type { Attachment } from '../../kernel/content.ts';
import { grouped } from '../../wording/counted.ts';

interface DraftAttachments {
  /** Puts a long text away and returns its mark. A short one is returned as it is. */
  addText(text: string): string;
  addPicture(picture: { readonly mediaType: string; readonly base64: string }): string;
  /** The mark that ends at this column of a line. */
  markBefore(line: string, column: number): string | undefined;
  /** The pasted text whose mark the cursor is on. After the mark it isn't on it. */
  textAt(line: string, column: number): { readonly mark: string; readonly text: string } | undefined;
  /** What a prompt with these marks carries. */
  of(draft: string): readonly Attachment[];
  /** The draft with pasted text in the place of its marks. */
  expanded(draft: string): string;
}

/** More lines than this become an attachment. */
const mostLines = 20;
const mostCharacters = 8000;

export function createDraftAttachments(): DraftAttachments {
  const kept = new Map<string, Attachment>();
  let pictures = 0;
  let texts = 0;
  const marksIn = (text: string) => [...kept].filter(([mark]) => text.includes(mark));

  return {
    addText(text) {
      const lines = text.replace(/\n$/, '').split('\n').length;
      if (lines <= mostLines && text.length <= mostCharacters) return text;
      texts += 1;
      const size = lines > mostLines ? `${grouped(lines)} lines` : `${grouped(text.length)} characters`;
      const plain = `[Pasted ${size}]`;
      const mark = kept.has(plain) ? `[Pasted ${size}, ${texts}]` : plain;
      kept.set(mark, { name: `pasted-${texts}.txt`, mediaType: 'text/plain', content: text });
      return mark;
    },
    addPicture({ mediaType, base64 }) {
      pictures += 1;
      const mark = `[Image ${pictures}]`;
      const name = `image-${pictures}.${mediaType.replace('image/', '')}`;
      kept.set(mark, { name, mediaType, content: base64 });
      return mark;
    },
    markBefore: (line, column) => [...kept.keys()].find((mark) => line.slice(0, column).endsWith(mark)),
    textAt(line, column) {
      for (const [mark, { mediaType, content }] of kept) {
        const at = line.indexOf(mark);
        const isOn = at >= 0 && column >= at && column < at + mark.length;
        if (isOn && mediaType === 'text/plain' && typeof content === 'string') return { mark, text: content };
      }
      return undefined;
    },
    of: (draft) => marksIn(draft).map(([, attachment]) => attachment),
    expanded: (draft) =>
      marksIn(draft).reduce(
        (text, [mark, { mediaType, content }]) =>
          mediaType === 'text/plain' && typeof content === 'string' ? text.replaceAll(mark, () => content) : text,
        draft,
      ),
  };
}
