/**
 * The append of one session inside the server. `append-batch-function.ts` carries out many at once.
 *
 * 1. A row is inserted at the position after the one it follows. Somebody else's row there, a fence included, means
 *    that nothing is written.
 * 2. A repeated append is recognized by its id at the next position, so a lost answer is asked for again (O16).
 * 3. A position that doesn't exist means that the server lost commits, as an asynchronous standby does when it is
 *    promoted. The session then counts as damaged.
 * 4. What another transaction could change in between is locked: blobs that the records name, and the origin of a
 *    fork. Nothing else needs a lock, because the position decides. Only a removal deletes positions, so the session
 *    must still be there after the insert.
 */
export const appendFunctions = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.own_process(self jsonb, at bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  own record;
BEGIN
  LOOP
    SELECT number, taken INTO own FROM ${s}.processes WHERE id = self->>'id';
    IF FOUND THEN
      RETURN CASE own.taken WHEN 0 THEN own.number END;
    END IF;
    IF EXISTS (SELECT 1 FROM ${s}.facts WHERE name = 'state' AND value <> 'ready') THEN
      RAISE EXCEPTION 'this store was moved with rondo store copy' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    INSERT INTO ${s}.processes (id, pid, started_at, boot_id, host, expires_at)
    VALUES (self->>'id', (self->>'pid')::bigint, self->>'startedAt', self->>'bootId', self->>'host', at)
    ON CONFLICT (id) DO NOTHING;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION ${s}.durable() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('synchronous_commit') IN ('off', 'local') THEN
    PERFORM set_config('synchronous_commit', 'on', true);
  END IF;
END $$;

CREATE OR REPLACE FUNCTION ${s}.is_referenced(wanted text) RETURNS boolean LANGUAGE sql STABLE AS $$
  SELECT EXISTS (SELECT 1 FROM ${s}.blob_references WHERE hash = wanted)
    OR EXISTS (SELECT 1 FROM ${s}.inbox WHERE answer IS NULL AND strpos(body, wanted) > 0)
    OR EXISTS (SELECT 1 FROM ${s}.set_aside WHERE strpos(body, wanted) > 0)
$$;

CREATE OR REPLACE FUNCTION ${s}.show(number_ bigint, id_ text, shown jsonb) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  e jsonb := shown->'entry';
BEGIN
  IF e IS NOT NULL THEN
    INSERT INTO ${s}.directory AS d (session, id, updated_at, entry, state, agent, parent, title, origin, in_flight)
    VALUES (number_, id_, (e->>0)::bigint, e->>1, e->>2, e->>3, e->>4, e->>5, e->>6, (e->>7)::int)
    ON CONFLICT (session) DO UPDATE SET updated_at = excluded.updated_at, entry = excluded.entry,
      state = excluded.state, agent = excluded.agent, parent = excluded.parent, title = excluded.title,
      origin = excluded.origin, in_flight = excluded.in_flight;
  END IF;
  IF shown ? 'opened' THEN
    INSERT INTO ${s}.questions (session, id, opened_at, type, about)
    SELECT number_, q->>0, (q->>1)::bigint, q->>2, q->>3 FROM jsonb_array_elements(shown->'opened') AS q
    ON CONFLICT (id) DO UPDATE SET opened_at = excluded.opened_at, type = excluded.type, about = excluded.about;
  END IF;
  IF shown ? 'closed' THEN
    DELETE FROM ${s}.questions WHERE id IN (SELECT jsonb_array_elements_text(shown->'closed'));
  END IF;
  IF shown ? 'due' THEN
    UPDATE ${s}.sessions SET due = (shown->'due'->>0)::bigint
    WHERE number = number_ AND due IS DISTINCT FROM (shown->'due'->>0)::bigint;
  END IF;
END $$;

CREATE OR REPLACE FUNCTION ${s}.lost_reason(from_ bigint, to_ bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN from_ > to_ THEN 'the server lost the newest commits of this session'
    WHEN from_ = to_ THEN format('the server lost event %s, which it had acknowledged', from_)
    ELSE format('the server lost events %s to %s, which it had acknowledged', from_, to_) END
$$;

CREATE OR REPLACE FUNCTION ${s}.lose(number_ bigint, self jsonb, reached bigint) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  head record;
  newest bigint;
BEGIN
  SELECT epoch, p.id AS owner INTO head FROM ${s}.sessions LEFT JOIN ${s}.processes p ON p.number = owner
  WHERE sessions.number = number_ FOR UPDATE OF sessions;
  IF head.owner IS DISTINCT FROM self->>'id' AND head.owner IS NOT NULL THEN
    RETURN jsonb_build_object('type', 'fenced', 'epoch', head.epoch);
  END IF;
  SELECT coalesce(max(last), 0) INTO newest FROM ${s}.records WHERE session = number_;
  UPDATE ${s}.sessions SET damage_seq = newest + 1, damage_reason = ${s}.lost_reason(newest + 1, reached)
  WHERE number = number_ AND damage_seq IS NULL;
  RETURN jsonb_build_object('type', 'damaged', 'seq', newest + 1, 'reason', ${s}.lost_reason(newest + 1, reached));
END $$;

CREATE OR REPLACE FUNCTION ${s}.append(o jsonb, self jsonb, at bigint, writer_ integer)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  follows bigint := (o->>'position')::bigint;
  epoch_ bigint := (o->>'epoch')::bigint;
  expected bigint := (o->>'expected')::bigint;
  rows_ integer := greatest(jsonb_array_length(o->'records'), 1);
  head record;
  base bigint;
  next_ record;
  number_ bigint;
  fresh jsonb;
  r jsonb;
  found_ record;
  i integer;
  newest bigint := expected;
  inserted integer;
BEGIN
  LOOP
    SELECT number, epoch, damage_seq, damage_reason, least_seq INTO head FROM ${s}.sessions WHERE id = o->>'session';
    IF NOT FOUND THEN
      IF follows > 0 AND expected > 0 THEN
        RETURN jsonb_build_object('type', 'damaged', 'seq', 1, 'reason', ${s}.lost_reason(1, expected));
      END IF;
      IF expected > 0 THEN
        RETURN jsonb_build_object('type', 'conflict', 'seq', 0);
      END IF;
      IF epoch_ <> 1 THEN
        RETURN jsonb_build_object('type', 'fenced', 'epoch', 0);
      END IF;
      follows := 0;
    ELSE
      number_ := head.number;
      base := 0;
      IF follows > 0 THEN
        SELECT log.last, log.append INTO found_ FROM ${s}.records log WHERE log.session = number_ AND log.position = follows;
        IF NOT FOUND OR found_.append IS DISTINCT FROM o->>'after' THEN
          RETURN ${s}.lose(number_, self, expected);
        END IF;
        base := found_.last;
      END IF;
      SELECT log.append INTO next_ FROM ${s}.records log
      WHERE log.session = number_ AND log.position > follows ORDER BY log.position LIMIT 1;
      IF FOUND THEN
        IF next_.append = o->>'id' THEN
          SELECT log.last INTO base FROM ${s}.records log WHERE log.session = number_ AND log.position = follows + rows_;
          RETURN jsonb_build_object('type', 'appended', 'seq', base, 'position', follows + rows_);
        END IF;
        IF head.epoch <> epoch_ THEN
          RETURN jsonb_build_object('type', 'fenced', 'epoch', head.epoch);
        END IF;
        SELECT log.last INTO base FROM ${s}.records log WHERE log.session = number_ ORDER BY log.position DESC LIMIT 1;
        RETURN jsonb_build_object('type', 'conflict', 'seq', base);
      END IF;
      IF head.damage_seq IS NOT NULL THEN
        RETURN jsonb_build_object('type', 'damaged', 'seq', head.damage_seq, 'reason', head.damage_reason);
      END IF;
      IF base < head.least_seq THEN
        RETURN ${s}.lose(number_, self, head.least_seq);
      END IF;
      IF base <> expected THEN
        RETURN jsonb_build_object('type', 'conflict', 'seq', base);
      END IF;
    END IF;

    IF o ? 'refersTo' THEN
      FOR found_ IN SELECT x AS id FROM jsonb_array_elements_text(o->'refersTo') AS x ORDER BY x LOOP
        PERFORM 1 FROM ${s}.sessions WHERE id = found_.id FOR KEY SHARE;
        IF NOT FOUND THEN
          RETURN jsonb_build_object('type', 'origin-missing', 'session', found_.id);
        END IF;
      END LOOP;
    END IF;
    IF o ? 'keyed' THEN
      fresh := '{}';
      i := 0;
      FOR r IN SELECT * FROM jsonb_array_elements(o->'records') LOOP
        IF r->>4 IS NOT NULL THEN
          SELECT digest, seq INTO found_ FROM ${s}.keys WHERE session = number_ AND hash = r->>5;
          IF NOT FOUND AND fresh ? (r->>5) THEN
            SELECT fresh->(r->>5)->>0 AS digest, (fresh->(r->>5)->>1)::bigint AS seq INTO found_;
          END IF;
          IF FOUND THEN
            RETURN jsonb_build_object('type', CASE found_.digest WHEN r->>6 THEN 'duplicate' ELSE 'key-reused' END,
              'index', i, 'seq', found_.seq);
          END IF;
          fresh := fresh || jsonb_build_object(r->>5, jsonb_build_array(r->>6, r->0));
        END IF;
        i := i + 1;
      END LOOP;
    END IF;
    IF o ? 'blobs' THEN
      PERFORM 1 FROM ${s}.blobs WHERE hash IN (SELECT jsonb_array_elements_text(o->'blobs')) ORDER BY hash FOR KEY SHARE;
      SELECT jsonb_agg(x ORDER BY n) AS hashes INTO found_
      FROM jsonb_array_elements_text(o->'blobs') WITH ORDINALITY AS named(x, n)
      WHERE NOT coalesce(o->'lost' ? x, false) AND NOT EXISTS (SELECT 1 FROM ${s}.blobs WHERE hash = x)
        AND NOT ${s}.is_referenced(x);
      IF found_.hashes IS NOT NULL THEN
        RETURN jsonb_build_object('type', 'blob-missing', 'hashes', found_.hashes);
      END IF;
    END IF;
    IF o ? 'creation' THEN
      INSERT INTO ${s}.creations (hash, key, digest, session)
      VALUES (o->'creation'->>0, o->'creation'->>1, o->'creation'->>2, o->>'session') ON CONFLICT (hash) DO NOTHING;
      IF NOT FOUND THEN
        SELECT session, digest INTO found_ FROM ${s}.creations WHERE hash = o->'creation'->>0;
        CONTINUE WHEN NOT FOUND;
        RETURN jsonb_build_object('type', 'created-before', 'session', found_.session, 'digest', found_.digest);
      END IF;
    END IF;

    IF number_ IS NULL THEN
      INSERT INTO ${s}.sessions (id, epoch, owner) VALUES (o->>'session', 1, ${s}.own_process(self, at))
      ON CONFLICT (id) DO NOTHING RETURNING number INTO number_;
      IF number_ IS NOT NULL AND (SELECT owner FROM ${s}.sessions WHERE number = number_) IS NULL THEN
        -- This process lost its lease: it may not create.
        DELETE FROM ${s}.sessions WHERE number = number_;
        DELETE FROM ${s}.creations WHERE session = o->>'session';
        RETURN jsonb_build_object('type', 'fenced', 'epoch', 0);
      END IF;
    END IF;
    inserted := 0;
    IF number_ IS NOT NULL THEN
      IF jsonb_array_length(o->'records') = 0 THEN
        INSERT INTO ${s}.records (session, position, last, checksum, writer, append, body)
        VALUES (number_, follows + 1, expected, 0, writer_, o->>'id', '') ON CONFLICT DO NOTHING;
      ELSE
        INSERT INTO ${s}.records (session, position, first, last, checksum, writer, append, body)
        SELECT number_, follows + n, (x->>0)::bigint, (x->>1)::bigint, (x->>2)::bigint, writer_, o->>'id', x->>3
        FROM jsonb_array_elements(o->'records') WITH ORDINALITY AS given(x, n) ON CONFLICT DO NOTHING;
      END IF;
      GET DIAGNOSTICS inserted = ROW_COUNT;
    END IF;
    -- A removal that took the fence along committed before the insert, so the session is gone.
    EXIT WHEN inserted = rows_ AND EXISTS (SELECT 1 FROM ${s}.sessions WHERE number = number_);
    -- Another writer was first. What it did shows on the next look.
    DELETE FROM ${s}.records WHERE session = number_ AND position > follows AND append = o->>'id';
    IF o ? 'creation' THEN
      DELETE FROM ${s}.creations WHERE hash = o->'creation'->>0 AND session = o->>'session';
    END IF;
    number_ := NULL;
  END LOOP;

  IF jsonb_array_length(o->'records') > 0 THEN
    newest := (o->'records'->-1->>1)::bigint;
  END IF;
  IF o ? 'keyed' THEN
    INSERT INTO ${s}.keys (session, hash, key, digest, seq)
    SELECT number_, x->>5, x->>4, x->>6, (x->>0)::bigint FROM jsonb_array_elements(o->'records') AS x
    WHERE x->>4 IS NOT NULL;
  END IF;
  IF o ? 'blobs' THEN
    INSERT INTO ${s}.blob_references (hash, session)
    SELECT DISTINCT x, number_ FROM jsonb_array_elements_text(o->'blobs') AS x ON CONFLICT DO NOTHING;
  END IF;
  IF o ? 'forked' THEN
    INSERT INTO ${s}.fork_references (origin, session)
    SELECT x, o->>'session' FROM jsonb_array_elements_text(o->'forked') AS x ON CONFLICT DO NOTHING;
  END IF;
  IF o ? 'recovered' THEN
    UPDATE ${s}.sessions SET unclean = 0 WHERE number = number_ AND unclean <> 0;
  END IF;
  IF o ? 'leastReader' THEN
    UPDATE ${s}.sessions SET least_reader = greatest(least_reader, (o->>'leastReader')::int) WHERE number = number_;
  END IF;
  IF o ? 'shown' THEN
    PERFORM ${s}.show(number_, o->>'session', o->'shown');
  END IF;
  IF o ? 'settles' THEN
    UPDATE ${s}.inbox SET answer = x->>1, settled_at = at FROM jsonb_array_elements(o->'settles') AS x
    WHERE id = (x->>0)::bigint AND answer IS NULL;
    DELETE FROM ${s}.inbox WHERE settled_at < at - 3600000 AND buried IS NULL
      AND id <= (SELECT max(id) FROM ${s}.inbox) - 1000;
  END IF;
  RETURN jsonb_build_object('type', 'appended', 'seq', newest, 'position', follows + rows_);
END $$;
`;
