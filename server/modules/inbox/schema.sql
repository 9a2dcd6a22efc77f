-- Whether a program takes part. Without a row it does not.
create table inbox_setting (
  program_id bigint primary key references program,
  is_on boolean not null,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
call protect_by_program('inbox_setting');

-- People whom staff have left out: no link reaches what waits for them in the program.
create table inbox_exclusion (
  program_id bigint not null,
  account_id bigint not null,
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id)
);
call protect_by_program('inbox_exclusion');

-- Which addresses had their mail in a week that begins on this Monday. Of several programs and processes one sends it.
create table inbox_week (
  address text not null,
  monday date not null,
  sent_at timestamptz not null default now(),
  primary key (address, monday)
);
