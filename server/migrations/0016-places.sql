-- Towns and ZIP codes for looking up an address (product 3.3): filled from the bundled list at the start, the same for all programs.
create table place (
  zip text primary key,
  city text not null,
  state text not null,
  county text not null,
  latitude double precision not null,
  longitude double precision not null
);
create index place_zip on place (zip text_pattern_ops);
create index place_city on place (lower(city) text_pattern_ops, state);
revoke insert, update, delete on place from app;
