-- A text as JSON. From PostgreSQL 16 on there is an expression that does not look its type up again for each row; a function of
-- one expression is put in place of its call, so it costs nothing of its own.
do $do$ begin
  execute format('create or replace function json_text(value text) returns json language sql stable as $$ select %s(value) $$',
    case when current_setting('server_version_num')::integer >= 160000 then 'json_scalar' else 'to_json' end);
end $do$;
