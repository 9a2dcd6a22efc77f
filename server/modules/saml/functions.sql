call read_across('saml_user', 'id, program_id, account_id, provider_id, name_id, created_at, updated_at');
grant select (id, name, kind, stage, deleted_at) on saml_provider to app_across;
call read_across('saml_program', 'provider_id, program_id, access_level, removed_at');
