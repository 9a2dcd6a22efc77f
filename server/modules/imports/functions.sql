call read_across('sync_log', 'event, created_at');
