import type { ToolContext } from '../../ports/tool.ts';

type Buffered = Pick<ToolContext, 'buffers'>;

/** A file's content with unsaved changes, if an editor has the file open. Otherwise undefined. */
export async function unsavedContent(file: string, { buffers }: Buffered): Promise<Buffer | undefined> {
  const text = await buffers?.read(file);
  return text === undefined ? undefined : Buffer.from(text);
}

/** True if an editor wrote the content. It takes only text that survives as UTF-8. */
export async function wroteInEditor(file: string, content: Buffer, { buffers }: Buffered): Promise<boolean> {
  if (buffers === undefined) return false;
  const text = content.toString('utf8');
  return Buffer.from(text).equals(content) && (await buffers.write(file, text));
}
