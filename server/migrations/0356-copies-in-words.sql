-- The copy of a program is server/modules/programs/program-copy.commands.ts.
do $$
declare
  made record;
begin
  for made in select oid::regprocedure as name from pg_proc
    where pronamespace = 'public'::regnamespace and (proname ~ '^(copy|copied)_' or proname = 'as_reference') loop
    execute 'drop function ' || made.name || ' cascade';
  end loop;
end $$;
drop type id_pair;
