-- The bulk e-mail sender and Scheduled Emails (specification 2 §2.1, §2.10).

-- Kept from being sent by somebody: an error that nobody needs to mend.
alter table mail add column cancelled_at timestamptz;

-- The ledger of all programs, newest first; and what of it is not simply sent, which is little.
create index mail_created on mail (created_at desc, id desc);
create index mail_open on mail (status, created_at desc, id desc) where status <> 3;
create index mail_program_open on mail (program_id, status, created_at desc, id desc) where status <> 3;

-- Which entries of the blacklist keep addresses from being written to. People of a program do not see the installation's list,
-- but whom it blocks is told whoever writes to them. Both lists have the same length; a program may be null.
create function find_blocks(of_programs bigint[], addresses text[]) returns table (address text, block text)
language sql stable security definer set search_path = public as $$
  select w.address, min(b.address)
  from unnest(of_programs, addresses) as w (program_id, address)
  join email_block b on b.removed_at is null and (b.program_id is null or b.program_id = w.program_id)
    and b.address in (w.address, '@' || split_part(w.address, '@', 2))
  group by w.address
$$;

-- Who gets copies of the letters of several programs at once; for super admins, who write to them.
create function find_copied(of_programs bigint[]) returns table (account_id bigint)
language sql stable security definer set search_path = public as $$
  select c.account_id from notification_copy c
  where c.program_id = any (of_programs) and current_setting('app.super', true) = 'on'
$$;

insert into menu_item (id, parent_id, page_key, page_url, link_order, link_name, is_menu_item, link_level) values
  (10, null, 'mail', '#', 85, 'E-mail', true, 0),
  (1001, 10, 'mail', '/new/admin/emails', 10, 'Send e-mail', true, 1),
  (1002, 10, 'mail', '/new/admin/scheduled-emails', 20, 'Scheduled Emails', true, 1);
