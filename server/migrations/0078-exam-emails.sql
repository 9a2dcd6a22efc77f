-- Who wrote a code wrongly is counted outside the transaction, where a refused call leaves it.
alter table exam_proof drop column tries;

call add_mail_template('EXAM_asked',
  '<p><strong>Exam asked for.</strong> Tells an examiner that a student asks for a competency exam.</p>',
  'A student asks you for a competency exam',
  '<p>Hello {{examiner.name}},</p><p>{{student.name}} asks you to grade a competency exam: {{exam.procedure}}.</p><p><a href="{{link}}">Open the exam</a></p><p>On a shared computer open {{exam.page}} and type {{exam.code}}. Nothing of it stays on that computer.</p>');
call add_mail_template('EXAM_code',
  '<p><strong>Code of an exam.</strong> Proves to another device that the examiner is who she says. Always sent.</p>',
  'Your code for a competency exam',
  '<p>Hello {{examiner.name}},</p><p>Your code to grade {{exam.procedure}} of {{student.name}} is</p><p><strong>{{code}}</strong></p><p>It works once, for {{minutes}} minutes, and for this exam only. Type it yourself; the student must not see it. If you are not with this student now, do not pass it on, and tell the program.</p>');
call add_mail_template('EXAM_signed',
  '<p><strong>Exam signed.</strong> Sends whoever signed an exam a copy, with the link to say that it was someone else. Always sent.</p>',
  'You signed a competency exam',
  '<p>Hello {{examiner.name}},</p><p>you signed on {{signature.at}}, {{signature.how}}:</p><p>{{signature.text}}</p><p>If you did not sign this, tell us now: <a href="{{link}}">This was not me</a>. The result is then suspended until the program has looked into it.</p>');
call add_mail_template('EXAM_decided',
  '<p><strong>Exam graded.</strong> Tells a student what became of a competency exam.</p>',
  'Your competency exam was graded',
  '<p>Hello {{student.firstName}},</p><p>{{exam.procedure}}: {{exam.result}}.</p><p>{{exam.comment}}</p><p><a href="{{link}}">See the exam</a></p>');
