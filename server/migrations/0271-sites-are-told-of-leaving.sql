call add_mail_template('SITE_student_left',
  '<p><strong>A student leaves or comes back.</strong> Tells the contact of a site that a student who had shifts there no longer comes, or comes again.</p>',
  '{{site.name}}: {{change.summary}}',
  '<p>Hello {{recipient.name}},</p><p>{{change.text}}</p>');
