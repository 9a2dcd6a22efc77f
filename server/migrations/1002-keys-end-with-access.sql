-- Keys end for good with the access of the person whose rights they have; with a new secret one opens again. Sessions and links of accounts
-- that are closed already would come back with the access, too.
alter table api_key add column ended_at timestamptz;
update api_key k set ended_at = now() from account a
where a.id = k.account_id and k.revoked_at is null and (a.deactivated_at is not null or a.deleted_at is not null);
update session s set ended_at = now() from account a
where a.id = s.account_id and s.ended_at is null and (a.deactivated_at is not null or a.deleted_at is not null);
update one_time_token t set used_at = now() from account a
where a.id = t.account_id and t.used_at is null and t.kind <> 'not_me' and (a.deactivated_at is not null or a.deleted_at is not null);
