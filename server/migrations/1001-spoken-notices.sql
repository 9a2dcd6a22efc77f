-- It changed words of emails in a migration of before 1.0, once.
drop procedure if exists add_not_me(text);
