/** Downloads a file through the browser. Returns a description of its location. */
import type { CommandPlace } from '../../../src/commands/command.ts';

export const download: CommandPlace['save'] = async ({ name, pieces }) => {
  const parts: BlobPart[] = [];
  for await (const piece of pieces) parts.push(piece as BlobPart);
  const url = URL.createObjectURL(new Blob(parts));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.split(/[\\/]/).at(-1) ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
  return `Downloaded ${link.download}`;
};
