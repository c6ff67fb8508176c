/**
 * Ownership inside the server. A claim locks the session's row and puts a fence into its log, so an append is either
 * before the fence or refused. Locks are taken in one order: sessions by number, then processes.
 */
export const leaseFunctions = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.fence(number_ bigint, id_ text) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  head record;
BEGIN
  LOOP
    SELECT position, last INTO head FROM ${s}.records WHERE session = number_ ORDER BY position DESC LIMIT 1;
    IF NOT FOUND THEN
      SELECT 0::bigint AS position, 0::bigint AS last INTO head;
    END IF;
    INSERT INTO ${s}.records (session, position, last, checksum, append, body)
    VALUES (number_, head.position + 1, head.last, 0, id_, '') ON CONFLICT DO NOTHING;
    IF FOUND THEN
      RETURN head.position + 1;
    END IF;
  END LOOP;
END $$;

CREATE OR REPLACE FUNCTION ${s}.claim(session_ text, self jsonb, gone jsonb, id_ text, at bigint)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  own bigint := ${s}.own_process(self, at);
  head record;
  holder ${s}.processes%ROWTYPE;
  fenced record;
  is_gone boolean := false;
  has_holder boolean := false;
  newest record;
BEGIN
  PERFORM ${s}.durable();
  IF own IS NULL THEN
    RETURN '{"type":"lost"}';
  END IF;
  INSERT INTO ${s}.sessions (id, epoch) VALUES (session_, 0) ON CONFLICT (id) DO NOTHING;
  SELECT * INTO head FROM ${s}.sessions WHERE id = session_ FOR UPDATE;
  IF NOT FOUND THEN
    -- Removed in between.
    RETURN ${s}.claim(session_, self, gone, id_, at);
  END IF;
  SELECT position, append INTO fenced FROM ${s}.records WHERE session = head.number ORDER BY position DESC LIMIT 1;
  IF FOUND AND fenced.append = id_ THEN
    -- The same claim again, after its answer was lost.
    NULL;
  ELSE
    IF head.owner IS NOT NULL THEN
      SELECT * INTO holder FROM ${s}.processes WHERE number = head.owner FOR UPDATE;
      has_holder := FOUND;
    END IF;
    IF has_holder THEN
      is_gone := holder.taken = 1
        OR (gone IS NOT NULL AND holder.id = gone->>0 AND holder.beat = (gone->>1)::bigint);
      IF holder.number <> own AND NOT is_gone THEN
        RETURN jsonb_build_object('type', 'held', 'owner', to_jsonb(holder));
      END IF;
    END IF;
    UPDATE ${s}.sessions SET owner = own, epoch = epoch + 1, left_open = 0,
      unclean = CASE WHEN has_holder THEN 1 ELSE unclean END,
      fences = CASE WHEN has_holder THEN fences + 1 ELSE fences END
    WHERE number = head.number RETURNING * INTO head;
    DELETE FROM ${s}.handovers WHERE session = head.number;
    SELECT ${s}.fence(head.number, id_) AS position INTO fenced;
    IF has_holder AND holder.number <> own THEN
      IF coalesce((gone->>2)::boolean, false)
        AND NOT EXISTS (SELECT 1 FROM ${s}.sessions WHERE owner = holder.number) THEN
        DELETE FROM ${s}.processes WHERE number = holder.number;
      ELSE
        UPDATE ${s}.processes SET taken = 1 WHERE number = holder.number;
      END IF;
    END IF;
  END IF;
  SELECT first, last, checksum, body INTO newest FROM ${s}.records
  WHERE session = head.number AND first IS NOT NULL ORDER BY first DESC LIMIT 1;
  RETURN jsonb_build_object('type', 'claimed', 'epoch', head.epoch, 'isUnclean', head.unclean = 1,
    'fences', head.fences, 'position', fenced.position, 'least', head.least_seq, 'damage', head.damage_seq,
    'newest', CASE WHEN newest.first IS NOT NULL THEN to_jsonb(newest) END);
END $$;

CREATE OR REPLACE FUNCTION ${s}.free(number_ bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE ${s}.sessions SET owner = NULL,
    least_seq = greatest(least_seq, coalesce(
      (SELECT last FROM ${s}.records WHERE session = number_ ORDER BY position DESC LIMIT 1), 0)),
    left_open = coalesce((SELECT in_flight FROM ${s}.directory WHERE session = number_), 0)
  WHERE number = number_
$$;

CREATE OR REPLACE FUNCTION ${s}.cleaned(session_ text, epoch_ bigint) RETURNS void LANGUAGE sql AS $$
  UPDATE ${s}.sessions SET unclean = 0, fences = 0 WHERE id = session_ AND epoch = epoch_
$$;

CREATE OR REPLACE FUNCTION ${s}.release(session_ text, self text, epoch_ bigint, is_unclean boolean)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  head record;
BEGIN
  SELECT sessions.number INTO head FROM ${s}.sessions JOIN ${s}.processes ON processes.number = sessions.owner
  WHERE sessions.id = session_ AND epoch = epoch_ AND processes.id = self FOR UPDATE OF sessions;
  IF NOT FOUND THEN
    RETURN 'not-owned';
  END IF;
  UPDATE ${s}.sessions SET unclean = CASE WHEN is_unclean THEN 1 ELSE unclean END WHERE number = head.number;
  PERFORM ${s}.free(head.number);
  UPDATE ${s}.sessions SET fences = 0 WHERE number = head.number AND unclean = 0 AND fences <> 0;
  DELETE FROM ${s}.handovers WHERE session = head.number;
  RETURN CASE WHEN FOUND THEN 'handed-over' ELSE 'released' END;
END $$;

CREATE OR REPLACE FUNCTION ${s}.renew(self text, at bigint) RETURNS bigint LANGUAGE sql AS $$
  UPDATE ${s}.processes SET beat = beat + 1, expires_at = at WHERE id = self AND taken = 0 RETURNING beat
$$;

CREATE OR REPLACE FUNCTION ${s}.leave(self text, id_ text) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  own bigint;
  one record;
BEGIN
  PERFORM ${s}.durable();
  DELETE FROM ${s}.nodes WHERE owner = self;
  SELECT number INTO own FROM ${s}.processes WHERE id = self;
  IF NOT FOUND THEN
    RETURN;
  END IF;
  FOR one IN SELECT number FROM ${s}.sessions WHERE owner = own ORDER BY number FOR UPDATE LOOP
    DELETE FROM ${s}.handovers WHERE session = one.number;
    UPDATE ${s}.sessions SET epoch = epoch + 1, unclean = 1, fences = fences + 1 WHERE number = one.number;
    PERFORM ${s}.fence(one.number, id_);
    PERFORM ${s}.free(one.number);
  END LOOP;
  DELETE FROM ${s}.processes WHERE number = own;
END $$;

CREATE OR REPLACE FUNCTION ${s}.hand_over(session_ text, self text, within_ bigint) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  head record;
BEGIN
  SELECT sessions.number, processes.id AS owner INTO head FROM ${s}.sessions
  JOIN ${s}.processes ON processes.number = sessions.owner WHERE sessions.id = session_;
  IF NOT FOUND OR head.owner = self THEN
    RETURN false;
  END IF;
  INSERT INTO ${s}.handovers (session, within_ms) VALUES (head.number, within_)
  ON CONFLICT (session) DO UPDATE SET within_ms = excluded.within_ms;
  RETURN true;
END $$;

CREATE OR REPLACE FUNCTION ${s}.forget_process(id_ text, beat_ bigint) RETURNS void LANGUAGE sql AS $$
  DELETE FROM ${s}.processes WHERE id = id_ AND beat = beat_
    AND NOT EXISTS (SELECT 1 FROM ${s}.sessions WHERE owner = processes.number)
$$;

CREATE OR REPLACE FUNCTION ${s}.register_node(self jsonb, name_ text, draining_ integer, entry_ text, gone jsonb, at bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  holder record;
BEGIN
  IF ${s}.own_process(self, at) IS NULL THEN
    RETURN 'lost';
  END IF;
  SELECT processes.* INTO holder FROM ${s}.nodes JOIN ${s}.processes ON processes.id = nodes.owner
  WHERE nodes.name = name_ AND nodes.owner <> self->>'id' FOR UPDATE;
  IF FOUND AND holder.taken = 0
    AND NOT (gone IS NOT NULL AND holder.id = gone->>0 AND holder.beat = (gone->>1)::bigint) THEN
    RETURN 'name-taken';
  END IF;
  DELETE FROM ${s}.nodes WHERE owner = self->>'id' OR owner NOT IN (SELECT id FROM ${s}.processes);
  INSERT INTO ${s}.nodes (name, owner, draining, entry) VALUES (name_, self->>'id', draining_, entry_)
  ON CONFLICT (name) DO UPDATE SET owner = excluded.owner, draining = excluded.draining, entry = excluded.entry;
  RETURN 'registered';
END $$;
`;
