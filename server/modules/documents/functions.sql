call read_across('document', 'program_id');
