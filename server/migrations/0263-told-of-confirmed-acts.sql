-- What is done after a proof is told to the owner of the account.
call add_mail_template('ACCOUNT_notice_file',
  '<p><strong>Files downloaded.</strong> Tells the owner of an account that files with everybody’s records were downloaded, at most one message in ten minutes.</p>',
  'Files with everybody’s records were downloaded',
  '<p>Files with the records of a whole list were downloaded from your account <strong>{{account.name}}</strong>.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>');
call add_spanish_mail('ACCOUNT_notice_file',
  'Se descargaron archivos con los registros de todos',
  '<p>Desde su cuenta <strong>{{account.name}}</strong> se descargaron archivos con los registros de una lista completa.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.</p>');
call add_mail_template('ACCOUNT_notice_view',
  '<p><strong>Somebody viewed as another person.</strong> Tells the owner of an account that somebody else’s pages were opened as that person sees them.</p>',
  'You viewed the product as somebody else',
  '<p>Somebody with your account <strong>{{account.name}}</strong> viewed the product as another person sees it.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>');
call add_spanish_mail('ACCOUNT_notice_view',
  'Se vio el producto como otra persona',
  '<p>Con su cuenta <strong>{{account.name}}</strong> alguien vio el producto como lo ve otra persona.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.</p>');
call add_mail_template('ACCOUNT_notice_provider',
  '<p><strong>Sign-in connection changed.</strong> Tells the owner of an account that how people of a college sign in was changed.</p>',
  'How people sign in was changed',
  '<p>With your account <strong>{{account.name}}</strong> a connection by which people sign in or come from a directory or a learning system was changed.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>');
call add_spanish_mail('ACCOUNT_notice_provider',
  'Cambió la forma de iniciar sesión',
  '<p>Con su cuenta <strong>{{account.name}}</strong> se cambió una conexión con la que las personas inician sesión o llegan desde un directorio o un sistema de aprendizaje.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.</p>');
call add_mail_template('ACCOUNT_notice_webhook',
  '<p><strong>Webhook made.</strong> Tells the owner of an account that a webhook or a new secret of one was made.</p>',
  'A webhook was made',
  '<p>With your account <strong>{{account.name}}</strong> an address was added to which events are sent, or its secret was made anew.</p><p>If this was you, there is nothing to do. If not: <a href="{{link}}">this was not me</a>. The link ends all sessions and freezes the account.</p>');
call add_spanish_mail('ACCOUNT_notice_webhook',
  'Se creó un webhook',
  '<p>Con su cuenta <strong>{{account.name}}</strong> se agregó una dirección a la que se envían eventos, o se creó de nuevo su secreto.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta.</p>');
call add_spanish_mail('ACCOUNT_notice_key',
  'Se creó una clave con sus permisos',
  '<p>Desde su cuenta <strong>{{account.name}}</strong> se creó una clave con la que otro sistema actúa con sus permisos.</p><p>Si fue usted, no tiene que hacer nada. Si no: <a href="{{link}}">no fui yo</a>. El enlace cierra todas las sesiones y bloquea la cuenta con sus claves.</p>');
