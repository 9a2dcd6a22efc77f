export const communication = {
  inbox: 'Notifications',
  unread_one: '1 unread',
  unread_other: '{count} unread',
  nothing: 'Nothing has happened that you need to know.',
  readAll: 'Mark all as read',
  unreadMark: 'Unread',
  more: 'More',
  guide: 'User Guide',
  guideIntro: 'What you can do here, in the order of a day.',
  students: '{Students}',
  studentsEmpty: 'No {student} has a shift at your {sites}.',
  approve: 'Approve hours',
  approveDetail: 'Records of your {sites} that wait for you',
  evaluate: '{Evaluations}',
  evaluateDetail: '{count} wait for you',
  staff1Title: 'In the morning',
  staff1:
    'The home page lists what needs attention: records to look at closely, punches without their other half, late {evaluations}. Each row leads to its screen.',
  staff2Title: 'Approve {time}',
  staff2:
    'Clean records can be approved in one go. Every other record says why it needs a look. Approving can be undone from the message at the top right.',
  staff3Title: 'Plan',
  staff3:
    'Make a rotation, then {site} shifts with their places. Add/Remove Assignments places {students} on dates; the footer says before what will be refused and why.',
  staff4Title: '{Sites} and people',
  staff4:
    'Both can be imported from CSV files: the preview names every error by row and column, and an import can be undone.',
  student1Title: 'At the door',
  student1:
    'Open Clock and press the one button. Your position is asked only then. Without a connection the punch is kept on the phone and sent when you are back.',
  student2Title: 'Something was wrong',
  student2:
    'Under Hours you can ask for another time on a punch that waits. Report absence and Time exception stand below the clock.',
  student3Title: 'Always know',
  student3: 'The ring shows approved, pending and owed hours, and the day on which you finish at this pace.',
  supervisor1Title: 'Two minutes',
  supervisor1:
    'Approve shows the records of your {sites} with the reason why one needs a look. Evaluate holds the forms that wait for you; they are kept as you go.',
}
