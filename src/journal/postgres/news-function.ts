/**
 * Reads in one statement what other processes did since the last poll.
 *
 * A transaction's number is given before it commits, so commits are read again from the oldest transaction that was
 * running (O14). The caller drops what it knows.
 */
export const newsFunction = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.news(self text, releases jsonb, letters jsonb, since bigint)
RETURNS jsonb LANGUAGE sql STABLE AS $$
  SELECT jsonb_build_object(
    'arrivals', (SELECT coalesce(jsonb_agg(session ORDER BY first_), '[]') FROM (
      SELECT inbox.session, min(inbox.id) AS first_ FROM ${s}.processes
      JOIN ${s}.sessions ON sessions.owner = processes.number JOIN ${s}.inbox ON inbox.session = sessions.id
      WHERE processes.id = self AND inbox.answer IS NULL GROUP BY inbox.session) AS waiting),
    'handOvers', (SELECT coalesce(jsonb_agg(jsonb_build_array(handovers.id, sessions.id, within_ms) ORDER BY handovers.id), '[]')
      FROM ${s}.processes JOIN ${s}.sessions ON sessions.owner = processes.number
      JOIN ${s}.handovers ON handovers.session = sessions.number WHERE processes.id = self),
    'free', (SELECT coalesce(jsonb_agg(wanted), '[]') FROM jsonb_array_elements_text(releases) AS wanted
      WHERE NOT EXISTS (SELECT 1 FROM ${s}.sessions WHERE id = wanted AND owner IS NOT NULL)),
    'answers', (SELECT coalesce(jsonb_agg(jsonb_build_array(id, answer)), '[]') FROM ${s}.inbox
      WHERE id IN (SELECT x::bigint FROM jsonb_array_elements_text(letters) AS x) AND answer IS NOT NULL),
    'draining', EXISTS (SELECT 1 FROM ${s}.nodes WHERE owner = self AND draining = 1),
    'queue', (SELECT number FROM ${s}.queue),
    'commits', (SELECT coalesce(jsonb_agg(jsonb_build_array(id, seq)), '[]') FROM (
      SELECT sessions.id, max(records.last) AS seq FROM ${s}.records JOIN ${s}.sessions ON sessions.number = records.session
      WHERE since IS NOT NULL AND records.xid >= since AND records.first IS NOT NULL GROUP BY sessions.id) AS newest),
    'oldest', pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    'next', pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
    'server', extract(epoch FROM pg_postmaster_start_time())::text)
$$;
`;
