/**
 * A batch of appends inside the server: one call is one transaction.
 *
 * 1. Appends that only add records, and perhaps an entry of the directory, are one statement for all sessions. It does
 *    what `append` does for each: an append goes at the position after the newest record, if that is the one it
 *    follows.
 * 2. Every other append, and every one that the statement left out, goes through `append`, which knows the reason.
 */
export const appendBatchFunction = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.append_batch(ops jsonb, self jsonb, at bigint, version_ text)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  o jsonb;
  n_ bigint;
  writer_ integer;
  done jsonb;
  torn text[];
  rest jsonb := '{}';
BEGIN
  PERFORM ${s}.durable();
  SELECT number INTO writer_ FROM ${s}.writers WHERE version = version_;
  IF NOT FOUND THEN
    INSERT INTO ${s}.writers (version, at) VALUES (version_, at) ON CONFLICT (version) DO NOTHING;
    SELECT number INTO writer_ FROM ${s}.writers WHERE version = version_;
  END IF;

  WITH plain AS MATERIALIZED (
    SELECT n, x->>'session' AS id, (x->>'position')::bigint AS follows, x->>'after' AS after_, x->>'id' AS append_,
      (x->>'expected')::bigint AS expected, x->'records' AS added, jsonb_array_length(x->'records') AS rows_,
      x->'shown'->'entry' AS e
    FROM jsonb_array_elements(ops) WITH ORDINALITY AS given(x, n)
    WHERE x->'records'->0 IS NOT NULL AND NOT x ?| ARRAY[${special.map((part) => `'${part}'`).join(', ')}]
      AND NOT coalesce(x->'shown' ?| ARRAY['opened', 'closed', 'due'], false)),
  head AS MATERIALIZED (
    SELECT plain.*, owned.number FROM plain
    CROSS JOIN LATERAL (
      SELECT number, damage_seq, least_seq FROM ${s}.sessions WHERE sessions.id = plain.id LIMIT 1) AS owned
    CROSS JOIN LATERAL (
      SELECT position, last, append FROM ${s}.records
      WHERE session = owned.number ORDER BY position DESC LIMIT 1) AS newest
    WHERE newest.position = follows AND newest.append IS NOT DISTINCT FROM after_ AND newest.last = expected
      AND damage_seq IS NULL AND least_seq <= expected),
  inserted AS (
    INSERT INTO ${s}.records AS added_ (session, position, first, last, checksum, writer, append, body)
    SELECT number, follows + k, (r->>0)::bigint, (r->>1)::bigint, (r->>2)::bigint, writer_, append_, r->>3
    FROM head CROSS JOIN LATERAL jsonb_array_elements(added) WITH ORDINALITY AS one(r, k)
    ORDER BY n, k ON CONFLICT DO NOTHING RETURNING added_.session),
  counted AS MATERIALIZED (
    SELECT head.*, coalesce(got, 0) AS got FROM head
    LEFT JOIN (SELECT session, count(*) AS got FROM inserted GROUP BY session) AS i ON i.session = head.number),
  shown AS (
    INSERT INTO ${s}.directory AS d (session, id, updated_at, entry, state, agent, parent, title, origin, in_flight)
    SELECT number, id, (e->>0)::bigint, e->>1, e->>2, e->>3, e->>4, e->>5, e->>6, (e->>7)::int
    FROM counted WHERE got = rows_ AND e IS NOT NULL ORDER BY n
    ON CONFLICT (session) DO UPDATE SET updated_at = excluded.updated_at, entry = excluded.entry,
      state = excluded.state, agent = excluded.agent, parent = excluded.parent, title = excluded.title,
      origin = excluded.origin, in_flight = excluded.in_flight)
  SELECT coalesce(jsonb_object_agg(n, jsonb_build_object(
      'type', 'appended', 'seq', (added->-1->>1)::bigint, 'position', follows + rows_)) FILTER (WHERE got = rows_), '{}'),
    array_agg(append_) FILTER (WHERE got BETWEEN 1 AND rows_ - 1)
  INTO done, torn FROM counted;

  IF torn IS NOT NULL THEN
    -- Another writer was first at some of the positions.
    DELETE FROM ${s}.records USING ${s}.sessions, jsonb_array_elements(ops) AS x
    WHERE sessions.id = x->>'session' AND session = sessions.number AND append = x->>'id' AND append = ANY (torn)
      AND position > (x->>'position')::bigint;
  END IF;
  FOR o, n_ IN SELECT x, n FROM jsonb_array_elements(ops) WITH ORDINALITY AS given(x, n)
    WHERE NOT done ? n::text ORDER BY n
  LOOP
    rest := rest || jsonb_build_object(n_, ${s}.append(o, self, at, writer_));
  END LOOP;
  RETURN (SELECT jsonb_agg(answer ORDER BY n::bigint) FROM jsonb_each(done || rest) AS all_(n, answer));
END $$;
`;

/** Parts of an append that more than its own session and entry depend on. */
const special = [
  'keyed',
  'blobs',
  'forked',
  'creation',
  'settles',
  'recovered',
  'refersTo',
  'lost',
  'leastReader',
];
