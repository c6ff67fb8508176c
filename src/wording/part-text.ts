/** What one part of a command does, as a sentence without a full stop: "Writes clean.log in this folder". */
import { partRisk, type PartFacts } from '../views/part-risk.ts';
import { deletedBy, installedBy, writtenBy } from '../views/part-target.ts';
import { visibleLine } from '../views/visible-text.ts';

export function partText(part: PartFacts): string {
  const { text, effect, opaque, dangers } = part;
  if (dangers.length === 0 && opaque !== true) {
    const [gone, made] = [deletedBy(text), writtenBy(text)];
    if (effect === 'delete' && gone !== undefined)
      return `Deletes ${visibleLine(gone)}, which a rewind may not restore`;
    if (effect === 'edit' && gone !== undefined)
      return `Deletes ${visibleLine(gone)}, of which Rondo keeps a copy`;
    if (effect === 'network' && installedBy(text) !== undefined)
      return 'Downloads packages and may run their install scripts';
    if (effect === 'edit' && made !== undefined) return `Writes ${visibleLine(made)} in this folder`;
  }
  const words = partRisk(part).effect ?? 'only reads';
  return `${words.charAt(0).toUpperCase()}${visibleLine(words.slice(1))}`;
}
