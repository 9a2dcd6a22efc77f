-- Plain words in the first texts of emails. Only these phrases are replaced, so texts that somebody changed keep the rest.

do $$
declare
  phrase text[];
begin
  foreach phrase slice 1 in array array[
    ['{Evaluations} that wait for you:', '{Evaluations} to complete:'],
    ['Reminds evaluators of the evaluations that wait for them.', 'Reminds evaluators of evaluations to complete.'],
    ['Somebody, probably you,', 'Someone, probably you,'],
    ['Somebody signed in', 'Someone signed in'],
    ['somebody who', 'someone who'],
    ['that somebody asks for who has forgotten the password', 'for someone who forgot the password'],
    ['that somebody signed in', 'that someone signed in'],
    ['Signs somebody in', 'Signs someone in'],
    ['nobody could', 'no one could'],
    ['nobody can', 'no one can'],
    ['E-mail', 'Email'],
    ['e-mail', 'email'],
    ['when whoever imports them asks for it', 'if chosen during the import'],
    ['sends it to whoever presses it', 'sends it to the person who clicks it'],
    ['Tells whoever ordered it that', 'Tells people who signed up for it that'],
    ['and waits to be confirmed', 'and is not confirmed yet'],
    ['these time changes wait for a decision:', 'these time changes need a decision:'],
    ['If it was you, you need not do anything. If not, set a new password at once and tell your {program}.',
     'If this was you, there is nothing to do. If not, set a new password right away and tell your {program}.'],
    ['If it was not you, do nothing: your password stays as it is.', 'If this was not you, do nothing. Your password stays the same.'],
    ['If it was not you who asked, do nothing:', 'If you did not ask for this, do nothing:'],
    ['You get an email as soon as it is decided.', 'We will email you when it is approved or declined.'],
    ['has arrived, and your address is confirmed', 'was received, and your address is confirmed'],
    ['Your registration has arrived', 'Your registration was received']
  ] loop
    update mail_template set
      description = replace(description, phrase[1], phrase[2]),
      subject = replace(subject, phrase[1], phrase[2]),
      html = replace(html, phrase[1], phrase[2]);
  end loop;
end $$;
