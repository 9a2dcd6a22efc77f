grant select on program to app_across;
grant select on college to app_across;
grant select on modality to app_across;
grant select on program_class to app_across;
