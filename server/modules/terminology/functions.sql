grant select on language_entry to app_across;
