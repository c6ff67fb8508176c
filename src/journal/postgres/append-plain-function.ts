/**
 * Plain appends inside the server: one record each, and perhaps an entry of the directory. One statement carries out
 * those of many sessions, with a plan that a connection makes once. It answers with the ones that it left out, by
 * their place; `append` in `append-functions.ts` knows the reason.
 *
 * 1. A record goes at the position after the newest one, if that is the one it follows (O1).
 * 2. Nothing is written for an append that is left out.
 * 3. A removal deletes positions, and with them the fence that would have stopped an append that has already looked. It
 *    committed before the insert, so the next statement sees that the session is gone, and all of it is sent again.
 */
export const appendPlainFunction = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.append_plain(
  sessions_ text[], positions bigint[], afters text[], appends text[], expecteds bigint[], lasts bigint[],
  checksums bigint[], bodies text[], times bigint[], entries text[], states text[], agents text[], parents text[],
  titles text[], origins text[], flights bigint[], at bigint, version_ text)
RETURNS jsonb LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  writer_ integer;
  left_out jsonb;
  numbers_ bigint[];
BEGIN
  PERFORM ${s}.durable();
  SELECT number INTO writer_ FROM ${s}.writers WHERE version = version_;
  IF NOT FOUND THEN
    writer_ := ${s}.writer_of(version_, at);
  END IF;

  WITH given AS MATERIALIZED (
    SELECT * FROM unnest(sessions_, positions, afters, appends, expecteds, lasts, checksums, bodies,
      times, entries, states, agents, parents, titles, origins, flights) WITH ORDINALITY AS one(
      id, follows, after_, append_, expected, last_, checksum_, body_,
      updated_at, entry, state, agent, parent, title, origin, in_flight, n)),
  head AS MATERIALIZED (
    SELECT given.*, owned.number FROM given
    CROSS JOIN LATERAL (
      SELECT number FROM ${s}.sessions
      WHERE sessions.id = given.id AND damage_seq IS NULL AND least_seq <= expected LIMIT 1) AS owned
    CROSS JOIN LATERAL (
      SELECT position, last, append FROM ${s}.records
      WHERE session = owned.number ORDER BY position DESC LIMIT 1) AS newest
    WHERE newest.position = follows AND newest.append IS NOT DISTINCT FROM after_ AND newest.last = expected),
  added AS (
    INSERT INTO ${s}.records AS r (session, position, first, last, checksum, writer, append, body)
    SELECT number, follows + 1, expected + 1, last_, checksum_, writer_, append_, body_ FROM head ORDER BY n
    ON CONFLICT (session, position) DO NOTHING RETURNING r.session, r.append),
  -- IS TRUE keeps this a hash of the added rows. As a join, it would be planned for one row, and so quadratic.
  done AS MATERIALIZED (
    SELECT head.* FROM head WHERE ((number, append_) IN (SELECT session, append FROM added)) IS TRUE),
  shown AS (
    INSERT INTO ${s}.directory AS d (session, id, updated_at, entry, state, agent, parent, title, origin, in_flight)
    SELECT number, id, updated_at, entry, state, agent, parent, title, origin, in_flight
    FROM done WHERE entry IS NOT NULL ORDER BY n
    ON CONFLICT (session) DO UPDATE SET updated_at = excluded.updated_at, entry = excluded.entry,
      state = excluded.state, agent = excluded.agent, parent = excluded.parent, title = excluded.title,
      origin = excluded.origin, in_flight = excluded.in_flight)
  SELECT jsonb_agg(n - 1), (SELECT array_agg(number) FROM done) INTO left_out, numbers_
  FROM given WHERE n NOT IN (SELECT n FROM done);

  IF (SELECT count(*) FROM ${s}.sessions WHERE number = ANY (numbers_)) < cardinality(numbers_) THEN
    RAISE EXCEPTION 'a session was removed while it was appended to' USING ERRCODE = 'serialization_failure';
  END IF;
  RETURN coalesce(left_out, '[]');
END $$;
`;
