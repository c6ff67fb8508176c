export type { Progress, SnapshotView, StreamingText, Update } from '../ports/update.ts';
