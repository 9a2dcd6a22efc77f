-- Tells whether a secret key is the one that this installation seals with, and nothing else about it.
create table secret_key_mark (
  is_only boolean primary key default true check (is_only),
  mark text not null
);
revoke all on secret_key_mark from app;
