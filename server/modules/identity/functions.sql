grant select (provider_id, token_hash, created_by) on lti_registration to app_across;
grant select (provider_id, last_success_at, last_error_at) on college_connection_state to app_across;
