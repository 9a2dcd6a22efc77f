call read_across('clinical_record', 'program_id, id, number, college_id, revoked_at, replaced_at');
