-- Test users of programs (specification 1 §2.10) and what people do after the program (product 3.1).

-- 'coord' and 'admin': a test user with the rights of a coordinator or an administrator. She is deactivated while her access
-- is off, and only Test Users Access switches it.
alter table account add test_mode text check (test_mode in ('coord', 'admin'));
create unique index account_test_user on account (program_id, test_mode)
  where test_mode is not null and deleted_at is null;

-- Which programs admit a test user, in all of them: people of other programs are hidden from every call but this.
create function test_user_access() returns table (program_id bigint, has_coord boolean, has_admin boolean)
  language sql stable security definer set search_path = public as $$
  select a.program_id, bool_or(a.test_mode = 'coord'), bool_or(a.test_mode = 'admin')
  from account a where a.test_mode is not null and a.deleted_at is null and a.deactivated_at is null
  group by a.program_id
$$;

create table employment (
  program_id bigint not null references program,
  account_id bigint not null,
  status text not null check (status in ('field', 'other', 'seeking', 'education', 'military', 'notSeeking')),
  employer text not null default '',
  position text not null default '',
  start_date date,
  credential text not null default '',
  may_contact boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  updated_by bigint,
  primary key (program_id, account_id),
  foreign key (program_id, account_id) references account (program_id, id),
  check (employer <> '' or status not in ('field', 'other'))
);
create trigger touch before update on employment for each row execute function touch();
call protect_by_program('employment');

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (38, 3, 'people', '/new/admin/test-users-access', 50, 'Test Users Access', true, 1),
  (88, 8, 'reports', '/new/admin/employment', 40, 'Employment', true, 1);
