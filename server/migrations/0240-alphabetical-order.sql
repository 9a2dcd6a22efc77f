-- What people read in an order is in the order of a dictionary: Álvarez before Baker, whatever the case and the kind of apostrophe, and
-- Week 2 before Week 10. The columns say so themselves, so that every `order by`, cursor and index of theirs does. The browser and
-- the server's own lists use the same order: contract/core/alphabet.ts. Equality stays what it was, byte by byte.
create collation alphabetical (provider = icu, locale = 'en-US-u-kn-true');

-- Gives every column of these names that is not yet in the order to it. A later migration that adds such a column says
-- `collate alphabetical` itself.
do $$
declare
  of_table record;
begin
  for of_table in
    select c.oid, c.oid::regclass as name, string_agg(format('alter %I type text collate alphabetical', a.attname), ', ') as changes
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
      and not a.attisdropped and a.atttypid = 'text'::regtype
      and a.attname in ('name', 'first_name', 'last_name', 'middle_name', 'title', 'code', 'city', 'county', 'cohort', 'employer', 'vendor',
        'item', 'label', 'student_number', 'institution', 'contract_name', 'link_name', 'college_name', 'program_name', 'payer_name',
        'recipient_name', 'registry', 'registry_number', 'file_name', 'credential', 'position', 'singular', 'plural', 'number')
      and c.relname not in ('archived_partition', 'background_task', 'email_notice', 'failure_hour', 'mail', 'mail_template', 'migration', 'setting')
    group by c.oid
  loop
    execute format('alter table %s %s', of_table.name, of_table.changes);
    -- What was known of the columns and the indexes on them is gone.
    execute format('analyze %s', of_table.name);
  end loop;
end $$;
