-- The moment of the approval together with which a time change was decided: undoing that asks for the change again.
alter table time_record add column change_decided_with timestamptz;
