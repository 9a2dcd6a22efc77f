-- What jobs look for in all programs they ask themselves, as the owner of the tables (`everywhere` of server/core/runtime/services.ts).
drop function find_programs_with_automatic_evaluations, find_programs_with_due_lists, find_programs_with_due_place_requests,
  find_programs_with_expired_changes, find_programs_with_notices, find_programs_with_waiting_lists, programs_wanting_pushes,
  programs_with_pushes, programs_with_webhooks, placement_plans_closing, placement_plans_opened, placement_plans_published,
  placement_drafts_lost, due_inbox_addresses, attendance_due, rotations_due, tidy_changes, tidy_pushes, tidy_webhooks,
  find_lost_tasks, find_expired_tasks, emit_expired_requirements, move_verification_days, find_inbox_link;
