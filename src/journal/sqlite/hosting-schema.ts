/** Creation keys, one session each, and hosts' work in progress. */
export const hostingSchema = `
  CREATE TABLE creations (
    key TEXT NOT NULL PRIMARY KEY,
    digest TEXT NOT NULL,
    session TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX creations_by_session ON creations (session);

  CREATE TABLE hosted (session TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;
  `;
