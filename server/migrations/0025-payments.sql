-- What programs pay for the product: arrangements, the tax of each state, and invoices. Money is whole cents.

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
  payer_name text not null check (payer_name <> ''),
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
create trigger touch before update on payment_arrangement for each row execute function touch();
-- Super admins see those of all programs in one list.
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
  number text not null unique,
  issued_on date not null,
  counted_on date not null,
  college_name text not null,
  program_name text not null,
  payer_name text not null,
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
  check (subtotal_cents = student_count::bigint * cents_per_student),
  check (total_cents = subtotal_cents + tax_cents),
  check ((voided_at is null) = (void_reason = ''))
);
create index invoice_arrangement on invoice (program_id, arrangement_id, id desc);
alter table invoice enable row level security;
create policy program on invoice using (program_id = any ((select allowed_programs())::bigint[]));

create function keep_invoice() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then raise exception 'an invoice is never deleted'; end if;
  if old.voided_at is not null then raise exception 'a void invoice is never changed'; end if;
  if to_jsonb(new) - '{voided_at,voided_by,void_reason}'::text[]
    is distinct from to_jsonb(old) - '{voided_at,voided_by,void_reason}'::text[] then
    raise exception 'an invoice is never changed';
  end if;
  return new;
end $$;
create trigger keep before update or delete on invoice for each row execute function keep_invoice();

-- Where the payments of each program stand: the arrangement of today, else the next, else the last.
create function payment_standings() returns table (program_id bigint, arrangement_id bigint, standing text)
  language sql stable security definer set search_path = public as $$
  select distinct on (a.program_id) a.program_id, a.id, s.standing
  from payment_arrangement a
  join program p on p.id = a.program_id
  cross join lateral (select (now() at time zone p.time_zone)::date as today) t
  cross join lateral (select case when a.starts_on > t.today then 'upcoming' when a.ends_on < t.today then 'ended'
    when a.is_exempt and a.evidence_file_id is null then 'evidence' else 'active' end as standing) s
  where a.deleted_at is null
  order by a.program_id, case s.standing when 'upcoming' then 2 when 'ended' then 3 else 1 end,
    case when s.standing = 'upcoming' then a.starts_on end, a.starts_on desc, a.id desc
$$;

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (2501, 9, 'settings', '/new/admin/payments', 170, 'Payments', true, 1),
  (2502, null, 'settings', '/new/admin/tax-calc', 0, 'Tax Calc', false, 0);
