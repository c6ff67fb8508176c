/** Drawing options: the width, the colors and shapes, and the expanded blocks. */
import type { Body } from '../../kernel/content.ts';
import type { EffectId, WorkerId } from '../../kernel/ids.ts';
import type { CallItem, ItemId } from '../../views/transcript-item.ts';
import type { Stream } from '../chat/chat-view.ts';
import type { Glyphs } from '../glyphs.ts';
import type { Pictures } from './pictures.ts';
import type { Paint } from '../theme.ts';

export interface TurnFacts {
  /** What an interrupt ended and what stays, by the turn's ending. */
  readonly stopped: ReadonlyMap<ItemId, readonly string[]>;
  /** Dollars, by the turn's ending. */
  readonly costs: ReadonlyMap<ItemId, number>;
  /** The call that a question was about, and the first call of a task, by the item of the question or prompt. */
  readonly calls: ReadonlyMap<ItemId, CallItem>;
}

export interface Look {
  readonly width: number;
  readonly paint: Paint;
  readonly glyphs: Glyphs;
  readonly prompt: string;
  /** The name under which this user's actions are recorded. */
  readonly self: string;
  readonly now: number;
  /** While the server is lost: when this was last known. Nothing moves then. */
  readonly lastSeen?: number | undefined;
  /** Renders Markdown as lines of at most that width. */
  readonly markdown: (text: string, width: number) => readonly string[];
  readonly isOpen: (item: ItemId) => boolean;
  /** Changes with each opened or closed block. */
  readonly openings: number;
  /** Lines of output in a collapsed block. Default: few. */
  readonly closedLines?: number;
  /** Lines of output in an open block. Default: as many as fit on a screen. */
  readonly openLines?: number;
  /** Facts about an item that come from other items. They stay the same for a whole drawing. */
  readonly turns?: TurnFacts;
  /** The item that a card shows instead. */
  readonly onCard?: ItemId | undefined;
  /** The full text if it is loaded, otherwise its beginning. */
  readonly textOf: (body: Body) => string;
  readonly streamOf: (effect: EffectId) => Stream | undefined;
  /** A path of the session as a link, in terminals that show them. */
  readonly link?: (text: string, path: string) => string;
  /** Pictures, in terminals that draw them. */
  readonly pictures?: Pictures;
  readonly workerName: (worker: WorkerId) => string;
}

/** Prose is wrapped here, code and tool lines use the full width. The last two columns stay empty. */
export const proseWidth = 102;

export function innerWidth({ width }: Pick<Look, 'width'>): number {
  return Math.max(10, width - 2);
}
