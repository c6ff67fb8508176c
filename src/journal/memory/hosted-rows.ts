import type { HostedRows } from '../../ports/hosted-rows.ts';
import { answerAsProcess, type Seat, type Shared } from './shared.ts';

export function createMemoryHostedRows({ hosted }: Shared, seat: Seat): HostedRows {
  return {
    save: (session, body) =>
      answerAsProcess(seat, () => {
        if (body === undefined) hosted.delete(session);
        else hosted.set(session, body);
      }),
    load: () =>
      answerAsProcess(seat, () =>
        [...hosted]
          .map(([session, body]) => ({ session, body }))
          .toSorted((a, b) => (a.session < b.session ? -1 : 1)),
      ),
  };
}
