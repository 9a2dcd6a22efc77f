create table language_profile (
  id bigint generated always as identity primary key,
  name text collate alphabetical not null check (name <> ''),
  deleted_at timestamptz
);
create unique index language_profile_name on language_profile (lower(name)) where deleted_at is null;

create table language_entry (
  profile_id bigint not null references language_profile,
  key_id smallint not null,
  value text not null check (value <> ''),
  singular text collate alphabetical not null default '',
  plural text collate alphabetical not null default 's',
  -- A program's words in each language. What is there is English.
  language text not null default 'en' check (language in ('en', 'es')),
  primary key (profile_id, language, key_id)
);
