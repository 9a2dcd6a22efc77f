create table announcement (
  program_id bigint not null references program,
  id bigint generated always as identity,
  category text not null
    check (category in ('All', 'Students', 'Registrants', 'Alumni', 'Faculty', 'Supervisors', 'Site employees', 'Staff')),
  html text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  created_by bigint,
  hides_acknowledged boolean not null default false,
  shows_all boolean not null default true,
  deleted_at timestamptz,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  -- Announcements go out by email once, when they first become active. Those from before this version were read on the home page.
  told_at timestamptz,
  primary key (program_id, id)
);
create index announcement_shown on announcement (program_id, id desc) where is_active and deleted_at is null;
create trigger touch before update on announcement for each row execute function touch();
call protect_by_program('announcement');

create table announcement_reader (
  program_id bigint not null,
  announcement_id bigint not null,
  account_id bigint not null,
  acknowledged_at timestamptz not null default now(),
  primary key (program_id, announcement_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id),
  foreign key (program_id, announcement_id) references announcement on delete cascade
);
call protect_by_program('announcement_reader');

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

-- Pictures inside formatted texts: of one program, or of the installation. They are asked for by their secret key.
create table picture (
  key text primary key check (key ~ '^[0-9a-f]{40}$'),
  program_id bigint references program,
  file_id bigint not null references stored_file
);
create index picture_program on picture (program_id);
create index picture_file on picture (file_id) where file_id is not null;
alter table picture enable row level security;
create policy program on picture using (
  program_id = any ((select allowed_programs())::bigint[])
  or (program_id is null and (select current_setting('app.super', true)) = 'on'));
