/** Updates on the wire. They embed the event's JSON from the journal, so that nothing is serialized twice. */
import type { Recorded } from '../kernel/event.ts';
import type { SessionId } from '../kernel/ids.ts';
import type { ServerMessage, WireProgress } from './server-message.ts';

export function messageText(message: ServerMessage): string {
  return JSON.stringify(message);
}

export function eventText(session: SessionId, { seq, at, by }: Recorded, json: string): string {
  return `{"v":1,"type":"event","session":"${session}","seq":${seq},"at":${at},"by":${JSON.stringify(by)},"event":${json}}`;
}

export function progressText(session: SessionId, progress: Omit<WireProgress, 'session'>): string {
  const { effect, attempt, kind, offset, text } = progress;
  return `{"v":1,"type":"progress","session":"${session}","effect":"${effect}","attempt":${attempt},"kind":"${kind}","offset":${offset},"text":${JSON.stringify(text)}}`;
}

/** The flat form of HTTP pages and SSE: `{seq, at, by, type, …}`. */
export function flatEventText({ seq, at, by }: Recorded, json: string): string {
  return `{"seq":${seq},"at":${at},"by":${JSON.stringify(by)},${json.slice(1)}`;
}
