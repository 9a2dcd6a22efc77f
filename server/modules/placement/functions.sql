call read_across('placement_plan', 'program_id, id, name, start_date, end_date, weeks_per_block, rules, is_open_to_others, deleted_at');
call read_across('placement_student', 'program_id, plan_id, student_id');
call read_across('placement_draft', 'program_id, id, plan_id, together, deleted_at');
call read_across('placement_acceptance', 'program_id, plan_id, cells, undone_at');
call read_across('placement_cell', 'program_id, draft_id, student_id, site_shift_id, block, weekdays');
