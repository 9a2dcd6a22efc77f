-- Whose call caused an email, a line of a digest or a mailed link: what a frozen account has caused and still waits is held.
alter table mail add column caused_by bigint default current_account();
alter table email_notice add column caused_by bigint default current_account();
alter table email_notice add column is_held boolean not null default false;
alter table one_time_token add column caused_by bigint default current_account();
update mail_template set html = replace(html, '<p>Look in the audit',
  '<p>Emails that it had caused in the last hour before the change, or since, and that were not sent yet are held. Scheduled Emails shows them as not sent: a super admin sends them from there, or leaves them. Links and codes of them stay dead.</p><p>Look in the audit')
where label = 'ACCOUNT_frozen';
