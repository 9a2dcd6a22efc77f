create table tax_rate (
  id bigint generated always as identity primary key,
  state text not null check (state ~ '^[A-Z]{2}$'),
  starts_on date not null,
  -- Thousandths of a percent: 6.25 % is 6250.
  rate integer not null check (rate between 0 and 100000),
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint
);
create unique index tax_rate_start on tax_rate (state, starts_on) where deleted_at is null;
create trigger touch before update on tax_rate for each row execute function touch();

create table payment_arrangement (
  program_id bigint not null references program,
  id bigint generated always as identity,
  payer text not null check (payer in ('college', 'program', 'students', 'other')),
  payer_name text collate alphabetical not null check (payer_name <> ''),
  payer_email text not null default '',
  payer_address text not null default '',
  cents_per_student integer not null check (cents_per_student between 0 and 10000000),
  state text not null check (state ~ '^[A-Z]{2}$'),
  is_exempt boolean not null default false,
  evidence_file_id bigint references stored_file,
  starts_on date not null,
  -- Null has no end.
  ends_on date,
  notes text not null default '',
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  created_by bigint,
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, id),
  check (starts_on <= ends_on)
);
create index payment_arrangement_start on payment_arrangement (program_id, starts_on desc) where deleted_at is null;
create index payment_arrangement_evidence on payment_arrangement (evidence_file_id) where evidence_file_id is not null;
create trigger touch before update on payment_arrangement for each row execute function touch();
alter table payment_arrangement enable row level security;
create policy program on payment_arrangement using (program_id = any ((select allowed_programs())::bigint[]));

-- Who was asked for the evidence of an exemption: once each.
create table payment_evidence_question (
  program_id bigint not null,
  arrangement_id bigint not null,
  account_id bigint not null references account,
  created_at timestamptz not null default now(),
  primary key (program_id, arrangement_id, account_id),
  foreign key (program_id, arrangement_id) references payment_arrangement
);
call protect_by_program('payment_evidence_question');

-- The last number given in a year; its row is locked until the invoice is kept, so that no number is left out.
create table invoice_number (
  year smallint primary key,
  last integer not null
);

-- As it was issued: names, rates and sums are copies that no later change reaches.
create table invoice (
  program_id bigint not null,
  id bigint generated always as identity,
  arrangement_id bigint not null,
  number text collate alphabetical not null unique,
  issued_on date not null,
  counted_on date not null,
  college_name text collate alphabetical not null,
  program_name text collate alphabetical not null,
  payer_name text collate alphabetical not null,
  payer_email text not null,
  payer_address text not null,
  student_count integer not null check (student_count >= 0),
  cents_per_student integer not null,
  subtotal_cents bigint not null,
  state text not null,
  is_exempt boolean not null,
  tax_rate integer not null,
  tax_cents bigint not null,
  total_cents bigint not null,
  voided_at timestamptz,
  voided_by bigint,
  void_reason text not null default '',
  created_at timestamptz not null default now(),
  created_by bigint,
  primary key (program_id, id),
  foreign key (program_id, arrangement_id) references payment_arrangement,
  check (subtotal_cents = (student_count::bigint * cents_per_student)),
  check (total_cents = (subtotal_cents + tax_cents)),
  check ((voided_at is null) = (void_reason = ''))
);
create index invoice_arrangement on invoice (program_id, arrangement_id, id desc);
create trigger keep before update or delete on invoice for each row execute function keep_invoice();
alter table invoice enable row level security;
create policy program on invoice using (program_id = any ((select allowed_programs())::bigint[]));
