/** Letters, the job queue, blobs and maintenance inside the server. */
export const storeFunctions = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.put_letter(session_ text, key_ text, body_ text, sent_ text)
RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  letter bigint;
BEGIN
  PERFORM ${s}.durable();
  INSERT INTO ${s}.inbox (session, key, body, sent) VALUES (session_, key_, body_, sent_)
  ON CONFLICT (sent) DO NOTHING RETURNING id INTO letter;
  IF letter IS NULL THEN
    SELECT id INTO letter FROM ${s}.inbox WHERE sent = sent_;
  END IF;
  RETURN letter;
END $$;

CREATE OR REPLACE FUNCTION ${s}.write_queue(seen bigint, step_ text, workers_ jsonb, dropped_ jsonb, jobs_ jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  now_ bigint;
BEGIN
  PERFORM ${s}.durable();
  SELECT number INTO now_ FROM ${s}.queue FOR UPDATE;
  IF EXISTS (SELECT 1 FROM ${s}.queue_steps WHERE step = step_) THEN
    RETURN true;
  END IF;
  IF now_ <> seen THEN
    RETURN false;
  END IF;
  now_ := now_ + 1;
  UPDATE ${s}.queue SET number = now_;
  INSERT INTO ${s}.queue_steps (step, number) VALUES (step_, now_);
  DELETE FROM ${s}.queue_steps WHERE number < now_ - 1000;
  INSERT INTO ${s}.workers (id, changed, body)
  SELECT w->>0, now_, w->>1 FROM jsonb_array_elements(workers_) AS w
  ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, body = excluded.body, dropped = false;
  UPDATE ${s}.workers SET changed = now_, dropped = true
  WHERE id IN (SELECT jsonb_array_elements_text(dropped_));
  INSERT INTO ${s}.jobs (id, place, hash, worker, parent, changed, ended, archived, dead, body)
  SELECT j->>0, (j->>1)::bigint, j->>2, j->>3, j->>4, now_, (j->>5)::boolean, (j->>6)::boolean, (j->>7)::boolean, j->>8
  FROM jsonb_array_elements(jobs_) AS j
  ON CONFLICT (id) DO UPDATE SET changed = excluded.changed, ended = excluded.ended, archived = excluded.archived,
    dead = excluded.dead, body = excluded.body;
  RETURN true;
END $$;

-- False: a sweep took the chunks for those of a writer that died, because its clock is ahead.
CREATE OR REPLACE FUNCTION ${s}.name_whole_blob(hash_ text, content_ text, size_ bigint, at bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  before_ text;
BEGIN
  PERFORM ${s}.durable();
  SELECT content INTO before_ FROM ${s}.blobs WHERE hash = hash_ FOR UPDATE;
  PERFORM 1 FROM ${s}.blob_chunks WHERE content = content_ FOR SHARE;
  IF size_ <> (SELECT coalesce(sum(length(bytes)), 0) FROM ${s}.blob_chunks WHERE content = content_) THEN
    RETURN false;
  END IF;
  INSERT INTO ${s}.blobs (hash, content, size, put_at) VALUES (hash_, content_, size_, at)
  ON CONFLICT (hash) DO UPDATE SET content = excluded.content, size = excluded.size,
    put_at = greatest(excluded.put_at, blobs.put_at + 1), mark = NULL;
  DELETE FROM ${s}.blob_chunks WHERE content = before_ AND before_ <> content_;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION ${s}.remove_unnamed_chunks(before bigint) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  one record;
BEGIN
  FOR one IN SELECT DISTINCT content FROM ${s}.blob_chunks
    WHERE at < before AND content NOT IN (SELECT content FROM ${s}.blobs) LOOP
    -- Waits for a writer that names them; the next statement sees the name.
    PERFORM 1 FROM ${s}.blob_chunks WHERE content = one.content FOR UPDATE;
    DELETE FROM ${s}.blob_chunks WHERE content = one.content
      AND NOT EXISTS (SELECT 1 FROM ${s}.blobs WHERE content = one.content);
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION ${s}.renew_blob(hash_ text, at bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  kept record;
BEGIN
  SELECT content, size INTO kept FROM ${s}.blobs WHERE hash = hash_ FOR UPDATE;
  IF NOT FOUND OR EXISTS (SELECT 1 FROM ${s}.blob_chunks WHERE content = kept.content AND sha256(bytes) <> sum)
    OR kept.size <> (SELECT coalesce(sum(length(bytes)), 0) FROM ${s}.blob_chunks WHERE content = kept.content) THEN
    RETURN false;
  END IF;
  PERFORM ${s}.durable();
  UPDATE ${s}.blobs SET put_at = greatest(at, put_at + 1), mark = NULL WHERE hash = hash_;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION ${s}.remove_blobs(wanted jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  one record;
  kept record;
  blobs_ integer := 0;
  bytes_ bigint := 0;
BEGIN
  FOR one IN SELECT x->>0 AS hash, (x->>1)::bigint AS put_at FROM jsonb_array_elements(wanted) AS x ORDER BY 1 LOOP
    -- Waits for an append that names it; the next statement sees its reference.
    SELECT content, size, put_at INTO kept FROM ${s}.blobs WHERE hash = one.hash FOR UPDATE;
    CONTINUE WHEN NOT FOUND OR kept.put_at <> one.put_at;
    CONTINUE WHEN ${s}.is_referenced(one.hash);
    DELETE FROM ${s}.blobs WHERE hash = one.hash;
    DELETE FROM ${s}.blob_chunks WHERE content = kept.content;
    blobs_ := blobs_ + 1;
    bytes_ := bytes_ + kept.size;
  END LOOP;
  RETURN jsonb_build_object('blobs', blobs_, 'bytes', bytes_);
END $$;

CREATE OR REPLACE FUNCTION ${s}.owned(session_ text, self text, epoch_ bigint, seq_ bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  head record;
BEGIN
  SELECT sessions.number INTO head FROM ${s}.sessions JOIN ${s}.processes ON processes.number = sessions.owner
  WHERE sessions.id = session_ AND epoch = epoch_ AND processes.id = self AND taken = 0 FOR UPDATE OF sessions;
  IF NOT FOUND OR seq_ <> coalesce(
    (SELECT last FROM ${s}.records WHERE session = head.number ORDER BY position DESC LIMIT 1), 0) THEN
    RETURN NULL;
  END IF;
  RETURN head.number;
END $$;

CREATE OR REPLACE FUNCTION ${s}.remove(session_ text, self text, epoch_ bigint, seq_ bigint, family jsonb)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  number_ bigint := ${s}.owned(session_, self, epoch_, seq_);
BEGIN
  PERFORM ${s}.durable();
  IF number_ IS NULL OR EXISTS (SELECT 1 FROM ${s}.inbox WHERE session = session_ AND answer IS NULL)
    OR EXISTS (SELECT 1 FROM ${s}.fork_references WHERE origin = session_ AND NOT family ? session) THEN
    RETURN false;
  END IF;
  DELETE FROM ${s}.records WHERE session = number_;
  DELETE FROM ${s}.keys WHERE session = number_;
  DELETE FROM ${s}.directory WHERE session = number_;
  DELETE FROM ${s}.questions WHERE session = number_;
  DELETE FROM ${s}.snapshots WHERE session = number_;
  DELETE FROM ${s}.handovers WHERE session = number_;
  DELETE FROM ${s}.search WHERE session = number_;
  DELETE FROM ${s}.blob_references WHERE session = number_;
  DELETE FROM ${s}.inbox WHERE session = session_;
  DELETE FROM ${s}.creations WHERE session = session_;
  DELETE FROM ${s}.hosted WHERE session = session_;
  DELETE FROM ${s}.fork_references WHERE session = session_;
  DELETE FROM ${s}.sessions WHERE number = number_;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION ${s}.set_aside(session_ text, self text, epoch_ bigint, seq_ bigint, from_ bigint, reason_ text, at_ bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  number_ bigint := ${s}.owned(session_, self, epoch_, seq_);
  kept bigint;
  head bigint;
BEGIN
  PERFORM ${s}.durable();
  IF number_ IS NULL THEN
    RETURN false;
  END IF;
  SELECT coalesce(max(last), 0) INTO kept FROM ${s}.records WHERE session = number_ AND first < from_;
  SELECT max(position) INTO head FROM ${s}.records WHERE session = number_;
  INSERT INTO ${s}.set_aside (session, first, last, checksum, body, reason, at)
  SELECT session_, first, last, checksum, body, reason_, at_ FROM ${s}.records
  WHERE session = number_ AND first >= from_ ORDER BY first;
  DELETE FROM ${s}.search WHERE session = number_ AND first >= from_;
  DELETE FROM ${s}.records WHERE session = number_ AND first >= from_ AND position < head;
  -- The newest position stays, because the owner's next append follows it.
  UPDATE ${s}.records SET last = least(last, kept) WHERE session = number_ AND last > kept AND first IS NULL;
  UPDATE ${s}.records SET first = NULL, last = kept, checksum = 0, body = ''
  WHERE session = number_ AND position = head AND first >= from_;
  DELETE FROM ${s}.keys WHERE session = number_ AND seq >= from_;
  DELETE FROM ${s}.snapshots WHERE session = number_ AND seq > kept;
  UPDATE ${s}.sessions SET least_seq = kept, damage_seq = NULL, damage_reason = NULL WHERE number = number_;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION ${s}.reshow(session_ text, seq_ bigint, shown jsonb) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  number_ bigint;
BEGIN
  SELECT number INTO number_ FROM ${s}.sessions WHERE id = session_ FOR UPDATE;
  IF NOT FOUND OR seq_ <> coalesce(
    (SELECT last FROM ${s}.records WHERE session = number_ ORDER BY position DESC LIMIT 1), 0) THEN
    RETURN false;
  END IF;
  DELETE FROM ${s}.directory WHERE session = number_;
  DELETE FROM ${s}.questions WHERE session = number_;
  PERFORM ${s}.show(number_, session_, shown);
  RETURN true;
END $$;
`;
