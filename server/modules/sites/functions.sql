call read_across('supervisor_site', 'program_id');
call read_across('site', 'program_id, id, name, time_zone, is_active, deleted_at');
call read_across('affiliate_agreement', 'program_id');
