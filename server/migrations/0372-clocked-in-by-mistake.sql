-- A student asks that a clock-in be taken back, as `change_status` asks for another time; and by which key they took one back, so that
-- a repeat from a device's queue counts once.
alter table time_record add column change_is_removal boolean not null default false, add column back_key text;
create index time_record_back_key on time_record (program_id, student_id, back_key) where back_key is not null;
