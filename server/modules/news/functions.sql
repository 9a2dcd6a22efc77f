call read_across('picture', 'program_id, key, file_id');
call read_across('announcement', 'program_id');
