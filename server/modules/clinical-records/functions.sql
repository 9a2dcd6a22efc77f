call read_across('supervision_link', 'program_id, site_id, student_id, token_hash, ended_at');
call read_across('clinical_record', 'program_id, id, number, college_id, revoked_at, replaced_at');
