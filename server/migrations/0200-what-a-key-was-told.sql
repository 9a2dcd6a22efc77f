-- What was told with the key of a punch, as a fingerprint: the same key with another punch is refused.
alter table time_record add column request_hash bytea;
