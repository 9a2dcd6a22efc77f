-- A secret calendar address goes on telling of shifts when the session that made it has ended: its owner is told.
call add_mail_template('ACCOUNT_notice_calendar',
  '<p><strong>Calendar address made.</strong> Tells the owner of an account that a secret calendar address of their shifts was made.</p>',
  'A calendar address was made',
  '<p>From your account <strong>{{account.name}}</strong> a secret address was made under which a calendar reads your shifts.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and the address, and freezes the account.</p>');
call add_spanish_mail('ACCOUNT_notice_calendar',
  'Se creó una dirección de calendario',
  '<p>Desde su cuenta <strong>{{account.name}}</strong> se creó una dirección secreta con la que un calendario lee sus turnos.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y la dirección, y bloquea la cuenta.</p>');

-- A webhook that is led elsewhere is told of as a new one is.
update mail_template set description = '<p><strong>Webhook made or changed.</strong> Tells the owner of an account that a webhook or a new secret of one was made, or that one was changed.</p>'
where label = 'ACCOUNT_notice_webhook';
update mail_template set
  subject = 'A webhook was made or changed',
  html = '<p>With your account <strong>{{account.name}}</strong> an address to which events are sent was added or changed, or its secret was made anew.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>'
where label = 'ACCOUNT_notice_webhook' and updated_by is null;
call add_spanish_mail('ACCOUNT_notice_webhook',
  'Se creó o cambió un webhook',
  '<p>Con su cuenta <strong>{{account.name}}</strong> se agregó o cambió una dirección a la que se envían eventos, o se creó de nuevo su secreto.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.</p>');

-- Two that open an account or prove who sits there: nobody else gets a copy, and they cannot be switched off.
update mail_template set is_enabled = true, carbon_copy = '', addressee = '' where label in ('ACCOUNT_proof_code', 'ACCOUNT_address_entered');
