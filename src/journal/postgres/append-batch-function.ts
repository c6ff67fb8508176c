/** Appends with parts beside their record inside the server, each on its own: one call is one transaction. */
export const appendBatchFunction = (s: string): string => `
CREATE OR REPLACE FUNCTION ${s}.writer_of(version_ text, at bigint) RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  writer_ integer;
BEGIN
  SELECT number INTO writer_ FROM ${s}.writers WHERE version = version_;
  IF NOT FOUND THEN
    INSERT INTO ${s}.writers (version, at) VALUES (version_, at) ON CONFLICT (version) DO NOTHING;
    SELECT number INTO writer_ FROM ${s}.writers WHERE version = version_;
  END IF;
  RETURN writer_;
END $$;

CREATE OR REPLACE FUNCTION ${s}.append_batch(ops jsonb, self jsonb, at bigint, version_ text)
RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  writer_ integer := ${s}.writer_of(version_, at);
  o jsonb;
  answers jsonb := '[]';
BEGIN
  PERFORM ${s}.durable();
  FOR o IN SELECT x FROM jsonb_array_elements(ops) WITH ORDINALITY AS given(x, n) ORDER BY n LOOP
    answers := answers || ${s}.append(o, self, at, writer_);
  END LOOP;
  RETURN answers;
END $$;
`;
