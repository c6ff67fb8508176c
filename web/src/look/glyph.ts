/** The shapes of states. */
export type Glyph = 'need' | 'work' | 'done' | 'fail' | 'idle' | 'stop' | 'unknown';
