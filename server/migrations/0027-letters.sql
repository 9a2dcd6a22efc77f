-- The letters of agreements, reports and unused features, with their first words.

call add_mail_template('AGREEMENT_expiring',
  '<p><strong>Agreement expiring.</strong> Brings affiliation agreements to the coordinators’ minds before they end.</p>',
  '{{agreement.summary}}',
  '<p>Hello {{coordinator.firstName}},</p><p>these affiliation agreements end soon:</p><p>{{agreement.list}}</p><p><a href="{{link}}">Renew them</a> so that placements go on.</p>');
call add_mail_template('CUSTOM_report',
  '<p><strong>Custom report.</strong> Tells whoever ordered it that a report is ready.</p>',
  'Your {{report.frequency}} report: {{report.name}}',
  '<p>Hello {{reader.firstName}},</p><p>your {{report.frequency}} report is ready: <a href="{{link}}">{{report.name}}</a>.</p><p>You ordered this letter on the report’s page, where you can also end it.</p>');
call add_mail_template('PROGRAM_unused_features',
  '<p><strong>Unused features.</strong> Short guides to what a program has and never used.</p>',
  'Have you tried this yet? {{feature.summary}}',
  '<p>Hello {{staff.firstName}},</p><p>{{program.name}} has not used this yet. It is part of what you have.</p><p>{{feature.guides}}</p>');
