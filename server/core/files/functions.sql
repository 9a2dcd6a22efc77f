call read_across('stored_file', 'id, name, media_type, store_key, byte_count');
