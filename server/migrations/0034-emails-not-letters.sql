-- An email is called an email: tables, columns and first texts that said "letter". Texts that somebody changed keep the change;
-- only the word is replaced in them.

alter table feature_letter rename to feature_email;
alter table custom_report_letter rename to custom_report_email;
alter index custom_report_letter_due rename to custom_report_email_due;

update mail_template set label = 'TIME_message' where label = 'TIME_letter';
update mail set label = 'TIME_message' where label = 'TIME_letter';
update mail_template set
  description = replace(replace(description, 'Letter', 'Email'), 'letter', 'email'),
  subject = replace(subject, '{{letter.', '{{message.'),
  html = replace(replace(replace(replace(html, '{{letter.', '{{message.'), 'a letter', 'an email'), 'this letter', 'this email'),
    'You ordered this email', 'You signed up for this email');
update account set preferences = preferences - 'MutedLetters' || jsonb_build_object('MutedEmails',
    coalesce((select jsonb_agg(case when label = 'TIME_letter' then 'TIME_message' else label end)
      from jsonb_array_elements_text(preferences -> 'MutedLetters') label), '[]'))
  where preferences ? 'MutedLetters';

create or replace function feature_use(of_programs bigint[]) returns table (
  program_id bigint, feature text, is_used boolean, times integer, recipients integer, sent_at timestamptz, sent_by text
) language sql stable security definer set search_path = public as $$
  select p.id, f.feature, f.is_used, l.times, l.recipients, l.sent_at, s.user_name
  from program p
  cross join lateral (values
    ('sites', exists (select from site x where x.program_id = p.id and x.deleted_at is null)),
    ('scheduling', exists (select from shift_assignment x where x.program_id = p.id)),
    ('clock', exists (select from time_record x where x.program_id = p.id)),
    ('evaluations', exists (select from evaluation x where x.program_id = p.id)),
    ('supervisors', exists (select from supervisor_site x where x.program_id = p.id)),
    ('imports', exists (select from import_run x where x.program_id = p.id)),
    ('data-sync', exists (select from sync_key x where x.program_id = p.id)),
    ('agreements', exists (select from affiliate_agreement x where x.program_id = p.id)),
    ('documents', exists (select from document x where x.program_id = p.id)),
    ('verifications', exists (select from verification x where x.program_id = p.id)),
    ('announcements', exists (select from announcement x where x.program_id = p.id)),
    ('calendar', exists (select from calendar_feed x where x.program_id = p.id)),
    ('notification-copies', exists (select from notification_copy x where x.program_id = p.id)),
    ('employment', exists (select from employment x where x.program_id = p.id))
  ) as f (feature, is_used)
  left join feature_email l on l.program_id = p.id and l.feature = f.feature
  left join account s on s.id = l.sent_by
  where p.deleted_at is null and (of_programs is null or p.id = any (of_programs))
    and (select current_setting('app.super', true)) = 'on'
$$;
