/** WebSocket text frames, encoded once and sent to every follower. */
import type { DirectoryEntry } from '../views/directory.ts';
import type { SessionId } from '../kernel/ids.ts';
import { eventText, messageText, progressText } from '../protocol/update-text.ts';
import type { Update } from '../session/update.ts';

/** An unmasked, unfragmented text frame, as servers send it. */
export function textFrame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const head = length < 126 ? 2 : length < 65_536 ? 4 : 10;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  if (head === 2) frame[1] = length;
  else if (head === 4) {
    frame[1] = 126;
    frame.writeUInt16BE(length, 2);
  } else {
    frame[1] = 127;
    frame.writeBigUInt64BE(BigInt(length), 2);
  }
  frame.write(text, head);
  return frame;
}

let newest: { readonly update: Update; readonly session: SessionId; readonly frame: Buffer } | undefined;

/** A session notifies its followers of an update one after the other, so all but the first reuse the frame. */
export function updateFrame(session: SessionId, update: Update): Buffer {
  if (newest?.update === update && newest.session === session) return newest.frame;
  const frame = textFrame(updateText(session, update));
  newest = { update, session, frame };
  return frame;
}

let changed: { readonly entries: readonly DirectoryEntry[]; readonly frame: Buffer } | undefined;

/** Changed entries, for all who follow the directory. */
export function directoryFrame(entries: readonly DirectoryEntry[]): Buffer {
  if (changed?.entries === entries) return changed.frame;
  const frame = textFrame(messageText({ v: 1, type: 'directory', kind: 'changed', entries }));
  changed = { entries, frame };
  return frame;
}

function updateText(session: SessionId, update: Update): string {
  switch (update.type) {
    case 'event':
      return eventText(session, update.recorded, update.json);
    case 'progress':
      return progressText(session, update);
    case 'snapshot':
    case 'gap':
      return messageText({ v: 1, session, ...update });
  }
}
