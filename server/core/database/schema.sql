create extension pg_trgm;

create extension btree_gist;

-- What people read in an order is in the order of a dictionary: Álvarez before Baker, whatever the case and the kind of apostrophe, and
-- Week 2 before Week 10. The columns say so themselves, so that every `order by`, cursor and index of theirs does. The browser and
-- the server's own lists use the same order: contract/core/alphabet.ts. Equality stays what it was, byte by byte.
create collation alphabetical (provider = icu, locale = 'en-US-u-kn-true');

create schema partition;

-- Towns and ZIP codes for looking up an address (product 3.3): filled from the bundled list at the start, the same for all programs.
create table place (
  zip text primary key,
  city text collate alphabetical not null,
  state text not null,
  county text collate alphabetical not null,
  latitude double precision not null,
  longitude double precision not null
);
create index place_zip on place (zip text_pattern_ops);
create index place_city on place (lower(city) text_pattern_ops, state);
revoke insert, update, delete on place from app;

-- How long rows are kept, in months; of a program, or of all that have no policy of their own. Without one nothing goes.
create table retention_policy (
  kind text not null check (kind in ('audit', 'mail')),
  program_id bigint references program,
  months integer not null check (months between 1 and 1200)
);
create unique index retention_policy_of on retention_policy (kind, coalesce(program_id, 0));
revoke all on retention_policy from app;

-- Months that were written to a file and dropped. The hash of the lines is the head that is left of them.
create table archived_partition (
  kind text not null,
  name text not null,
  from_moment timestamptz,
  to_moment timestamptz not null,
  row_count bigint not null,
  last_id bigint,
  sha256 text not null,
  file_key text not null,
  archived_at timestamptz not null default now(),
  primary key (kind, name)
);
revoke all on archived_partition from app;

-- There while the installation is a copy: it was restored from a backup, and no operator has said yet that it is the real one now.
-- Meanwhile it reaches neither people nor other systems.
create table restored_copy (
  is_only boolean default true primary key check (is_only),
  restored_at timestamptz not null default now(),
  -- Of which moment the backup is: what was due by then may have been sent by the installation that was backed up.
  backup_at timestamptz not null
);
create trigger begin_changes_anew after insert or update on restored_copy for each statement execute function begin_changes_anew();
revoke insert, update on restored_copy from app;

-- Tells whether a secret key is the one that this installation seals with, and nothing else about it.
create table secret_key_mark (
  is_only boolean default true primary key check (is_only),
  mark text not null
);
revoke all on secret_key_mark from app;
