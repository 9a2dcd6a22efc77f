-- Whose an entry was before somebody took its day over, so that it can be given back; of an entry that named nobody only the moment is known.
alter table procedure_log add column taken_from bigint;
alter table procedure_log add column taken_at timestamptz;
