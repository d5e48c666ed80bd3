import { sql } from 'kysely';

/** Rows of stored files, which are inserted after the files are durable. */
export const files = sql`
  create table picture (
    picture_key text primary key check (picture_key ~ '^[0-9a-f]{32}([0-9a-f]{32})?$'),
    width integer not null check (width > 0),
    height integer not null check (height > 0),
    widths integer[] not null check (cardinality(widths) > 0),
    bytes bigint not null default 0 check (bytes >= 0),
    created_at timestamptz(3) not null default now()
  );
  comment on table picture is 'A picture, re-encoded in several widths.';
  comment on column picture.picture_key is
    'Start of the SHA-256 of the uploaded bytes: 32 digits, or all 64.';
  comment on column picture.width is 'Pixels of the upload.';
  comment on column picture.widths is 'Widths in which the picture is stored.';
  comment on column picture.bytes is 'Size of all stored widths together.';

  create table stored_file (
    file_key text primary key check (file_key ~ '^[0-9a-f]{64}$'),
    extension text not null check (extension ~ '^[a-z0-9]{2,5}$'),
    mime_type text not null,
    bytes bigint not null check (bytes >= 0),
    created_at timestamptz(3) not null default now()
  );
  comment on table stored_file is 'A video or a code package, stored as it was uploaded.';
  comment on column stored_file.file_key is 'SHA-256 of the bytes.';
`;
