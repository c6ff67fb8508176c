/** How things are drawn: as wide as there is room, in the agent's colours, some of them opened. */
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
  /** Markdown as lines of at most that width. */
  readonly markdown: (text: string, width: number) => readonly string[];
  readonly isOpen: (item: ItemId) => boolean;
  /** Lines of output in a block that isn't opened. Default: few. */
  readonly closedLines?: number;
  /** The whole text where it is known; its opening until then. */
  readonly textOf: (body: Body) => string;
  readonly streamOf: (effect: EffectId) => Stream | undefined;
  readonly workerName: (worker: WorkerId) => string;
}
