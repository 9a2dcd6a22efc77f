-- What an undo of an import left standing, because it was changed or used since.
alter table import_run
  add kept integer not null default 0 check (kept >= 0),
  add kept_told text[] not null default '{}';

-- Whether a row was changed since it was made is told by these dates.
create trigger touch before update on college for each row execute function touch();
create trigger touch before update on verification for each row execute function touch();
