/** Drawing options: the width, the agent's colors, and the expanded blocks. */
import type { Body } from '../../kernel/content.ts';
import type { EffectId, WorkerId } from '../../kernel/ids.ts';
import type { ItemId } from '../../views/transcript-item.ts';
import type { Stream } from '../chat/chat-view.ts';
import type { Paint } from '../theme.ts';

export interface Look {
  readonly width: number;
  readonly paint: Paint;
  readonly prompt: string;
  readonly now: number;
  /** Renders Markdown as lines of at most that width. */
  readonly markdown: (text: string, width: number) => readonly string[];
  readonly isOpen: (item: ItemId) => boolean;
  /** Lines of output in a collapsed block. Default: few. */
  readonly closedLines?: number;
  /** The full text if it is loaded, otherwise its beginning. */
  readonly textOf: (body: Body) => string;
  readonly streamOf: (effect: EffectId) => Stream | undefined;
  readonly workerName: (worker: WorkerId) => string;
}
