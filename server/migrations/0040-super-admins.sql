-- Tells super admins when the areas of their own account change.

call add_mail_template('ACCOUNT_notice_areas',
  '<p><strong>Super-admin areas changed.</strong> Tells super admins that another one granted or removed areas of their account.</p>',
  'Your access was changed',
  '<p>The super-admin areas of your account <strong>{{account.name}}</strong> were changed by another super admin.</p><p>If you did not expect this, contact your administrators.</p>');
