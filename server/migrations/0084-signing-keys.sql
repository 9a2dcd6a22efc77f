-- The keys with which a college signs what its students take along. The public ones stay published for good, so that what was
-- signed can be checked years later; the private ones are sealed.
create table signing_key (
  id bigint generated always as identity primary key,
  college_id bigint not null references college,
  -- The thumbprint of the public key (RFC 7638).
  kid text not null unique check (kid ~ '^[A-Za-z0-9_-]{43}$'),
  public_jwk jsonb not null,
  sealed_private text not null,
  created_at timestamptz not null default now(),
  -- When another one took its place.
  retired_at timestamptz
);
create unique index signing_key_current on signing_key (college_id) where retired_at is null;
create index signing_key_college on signing_key (college_id);

alter table clinical_record
  add college_id bigint references college,
  -- The record as a signed credential (VC-JWT).
  add credential text,
  add credential_sha256 bytea check (length(credential_sha256) = 32),
  add check ((credential is null) = (credential_sha256 is null));
create index clinical_record_college on clinical_record (college_id) where revoked_at is not null or replaced_at is not null;

-- What a college has taken back, for whoever checks a credential: numbers and days, nobody's name.
create function ended_clinical_records(of_college bigint) returns table (number text, ended_at timestamptz, is_replaced boolean)
  language sql stable security definer set search_path = public as $$
  select r.number, coalesce(r.revoked_at, r.replaced_at), r.replaced_at is not null from clinical_record r
  where r.college_id = of_college and (r.revoked_at is not null or r.replaced_at is not null)
  order by 2, 1
$$;
