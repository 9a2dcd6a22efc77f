-- News for staff, addresses that get no mail, pictures of formatted texts, results of verification vendors, test users.

-- News of the installation, for the programs of one modality or for all (specification 1 §2.7).
create table admin_news (
  id bigint generated always as identity primary key,
  modality_id bigint references modality,
  date date not null,
  html text not null,
  is_active boolean not null default true,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
create index admin_news_shown on admin_news (date desc, id desc) where is_active and deleted_at is null;

-- Addresses (a@b.example) and whole domains (@b.example) that get no mail: of one program, or of the installation.
create table email_block (
  id bigint generated always as identity primary key,
  program_id bigint references program,
  address text not null check (address = lower(address) and address ~ '@.'),
  created_at timestamptz not null default now(),
  created_by bigint,
  removed_at timestamptz
);
create unique index email_block_address on email_block (coalesce(program_id, 0), address) where removed_at is null;
create index email_block_lookup on email_block (address) where removed_at is null;
create index email_block_search on email_block using gin (address gin_trgm_ops) where removed_at is null;
alter table email_block enable row level security;
create policy program on email_block using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on')
  or (select current_setting('app.mailer', true)) = 'on');

-- The bare address of 'Name <address>' in lower case.
create function mail_address(recipient text) returns text language sql immutable parallel safe as $$
  select lower(btrim(coalesce(substring(recipient from '<([^<>]*)>'), recipient)))
$$;
-- The entry that keeps an address of a program's letter from being written to; null when there is none.
create function block_of(of_program bigint, recipient text) returns text language sql stable as $$
  select b.address from email_block b
  where b.removed_at is null and (b.program_id is null or b.program_id = of_program)
    and b.address in (mail_address(recipient), '@' || split_part(mail_address(recipient), '@', 2))
  order by b.address like '@%' limit 1
$$;
-- Never sent because of the blacklist: an error that nobody needs to mend.
alter table mail add column blocked_at timestamptz;

-- Pictures inside formatted texts: of one program, or of the installation. They are asked for by their secret key.
create table picture (
  key text primary key check (key ~ '^[0-9a-f]{40}$'),
  program_id bigint references program,
  file_id bigint not null references stored_file
);
create index picture_program on picture (program_id);
alter table picture enable row level security;
create policy program on picture using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
-- Everybody who is signed in sees the installation's pictures, a program's people those of the program.
create function find_picture(wanted text) returns table (program_id bigint, name text, media_type text, store_key text)
language sql stable security definer set search_path = public as $$
  select p.program_id, f.name, f.media_type, f.store_key
  from picture p join stored_file f on f.id = p.file_id where p.key = wanted
$$;

-- What vendors of background checks (1) and immunizations (2) say about students (specification 1 §2.11, product 3.7).
create table verification (
  program_id bigint not null references program,
  id bigint generated always as identity,
  student_id bigint not null,
  type smallint not null check (type in (1, 2)),
  vendor text not null check (vendor <> ''),
  -- What was verified: the package of a background check, or an immunization.
  item text not null check (item <> ''),
  status text not null check (status in ('complete', 'pending', 'failed', 'missing', 'waived')),
  -- The vendor's own word.
  result text not null default '',
  ordered_on date,
  completed_on date,
  expires_on date,
  import_id bigint references import_run,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  foreign key (program_id, student_id) references account (program_id, id)
);
create unique index verification_item on verification (program_id, type, student_id, lower(vendor), lower(item))
  where deleted_at is null;
create index verification_import on verification (program_id, import_id) where import_id is not null;
call protect_by_program('verification');
