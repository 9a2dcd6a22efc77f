call read_across('import_run', 'program_id');
