-- What an affiliation agreement has besides its dates, and which reminders were sent (product 3.10).

alter table affiliate_agreement
  -- Students at a time that the site agreed to.
  add capacity integer check (capacity between 0 and 100000),
  -- Rows of Name, Role, Email and Phone: read and saved whole with the agreement.
  add contacts jsonb not null default '[]',
  add constraint affiliate_agreement_dates check (initial_date <= termination_date);

-- Once for each step and end: a renewal moves the end, and the steps begin anew.
create table agreement_reminder (
  program_id bigint not null,
  agreement_id bigint not null,
  termination_date date not null,
  -- Days before the end.
  step smallint not null check (step in (90, 60, 30)),
  created_at timestamptz not null default now(),
  primary key (program_id, agreement_id, termination_date, step),
  foreign key (program_id, agreement_id) references affiliate_agreement
);
call protect_by_program('agreement_reminder');

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (75, 7, 'sites', '/new/admin/affiliate-agreements', 15, 'Affiliate Agreements', true, 1);
