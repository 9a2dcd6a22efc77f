-- What a directory has said of a person, by our names of the fields. The rest is the staff's: a whole user without it leaves it as it is.
alter table scim_user add column told text[] not null default '{}';
