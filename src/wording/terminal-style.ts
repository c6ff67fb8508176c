/** The output's capabilities. Colors carry meaning. A front end without colors paints nothing. */
export interface Terminal {
  readonly isTerminal: boolean;
  /** Columns. Infinite for a pipe. */
  readonly width: number;
  readonly paint: TonePaint;
}

export type TonePaint = Readonly<Record<Tone, (text: string) => string>>;
export type Tone = 'strong' | 'quiet' | 'good' | 'warning' | 'bad' | 'accent';

const asIs = (text: string) => text;

export const noPaint: TonePaint = {
  strong: asIs,
  quiet: asIs,
  good: asIs,
  warning: asIs,
  bad: asIs,
  accent: asIs,
};

/** Aligned lines without colors: for notes in a chat, for editors and pages. */
export const plainTerminal: Terminal = { isTerminal: true, width: 100, paint: noPaint };
