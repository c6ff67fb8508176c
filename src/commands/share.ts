import { misuse, sessionCommand } from './command.ts';

const mostDays = 365;

export const share = sessionCommand({
  name: 'share',
  isForPeople: true,
  parameters: [{ name: 'days' }],
  summary: 'create a read-only link to this session, for 7 days or N',
  async run({ days }, { rondo, session }) {
    const wanted = days === undefined ? undefined : Number(days);
    if (wanted !== undefined && !(Number.isInteger(wanted) && wanted >= 1 && wanted <= mostDays))
      return misuse(`/share takes a number of days up to ${mostDays}, not "${days}"`);
    const shared = await rondo.share(session.id, wanted);
    if (shared.type === 'refused') return shared;
    const until = new Date(shared.expiresAt).toISOString().slice(0, 10);
    return {
      type: 'done',
      text: `${shared.url}\nAnyone who has this link can read the session until ${until}. Secrets are redacted.`,
    };
  },
});
