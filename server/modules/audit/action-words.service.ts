import { allEndpoints } from '#contract/index.ts'

const calls = new Map(allEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint]))

/** What is downloaded where the description of the file says it another way. */
const downloads: Readonly<Record<string, string>> = {
  '/programs/:programId/competency-lists/:listId/grid/export': 'competency grid',
  '/programs/:programId/documents/:documentId/file': 'a document',
  '/email-blacklist/export': 'blocked addresses',
  '/programs/:programId/employment/export': 'employment of graduates',
  '/programs/:programId/examiners/export': 'examiners',
  '/programs/:programId/procedure-logs/export': 'procedure log',
  '/programs/:programId/evaluation-results/export': 'evaluation results',
  '/imports/samples': 'a sample file',
  '/programs/:programId/imports/samples': 'a sample file',
  '/calendar/:file': 'shifts for a calendar',
  '/programs/:programId/shift-assignments/export': 'schedule assignments',
  '/programs/:programId/sites/export': 'sites',
  '/programs/:programId/audit/export': 'audit',
  '/programs/:programId/deleted/export': 'deleted records',
  '/background-tasks/:taskId/file': 'a finished file',
  '/programs/:programId/time-records/export': 'time records',
  '/programs/:programId/graduates/export': 'graduates',
}

/** What a file holds, of 'The filtered employees as a file': no article, no filter, no format. */
const heldBy = (clause: string): string => {
  const held = clause
    .replace(/^(The|All) (filtered )?/, '')
    .replace(/,? as (an? )?[\w ]*(file|PDF|ZIP)\b.*$/, '')
  return held.charAt(0).toLowerCase() + held.slice(1)
}

/** For readers of a history, where the description of a call is for those who make it. */
const plain: Readonly<Record<string, string>> = {
  'The exam that a token opens': 'Open an exam by its link',
  'A person leaves': 'Set the last day of a person',
  'Give back access, or take back a last day to come, with what was freed, handed on and stopped when the person left':
    'Bring back a person who left, or was to leave',
  'Approve the named pending records, or all of a filter': 'Approve time records',
  'Change time or site of a record': 'Edit a time record',
  'Clock in or out, or take back a clock-in made by mistake': 'Clock in or out',
  'Take back what the caller verified within a day': 'Undo verifying procedures',
  'Take back what the caller approved or rejected in one go, or only the named records of it':
    'Undo approving or rejecting records',
  "Take over what waits of a student's day, at the caller's sites, or all of it for staff":
    'Take over a day of procedures',
  'Verify what was seen': 'Verify procedures',
  'Switch the token against request forgery on or off, for everybody at once':
    'Switch the protection against forged requests on or off',
  'Confirm the address with the token of the mailed link': 'Confirm an email address by the mailed link',
  'Set a new password with the token of the mailed link': 'Set a new password by the mailed link',
  'Mail the caller a link to their inbox': 'Email oneself a link to the inbox',
  'Keep answers of an evaluation that waits for the caller': 'Save answers of an evaluation',
  'Remember that the caller was asked for the evidence of Tax Exemption':
    'Asked for evidence of tax exemption',
  'A new secret calendar address of the shifts at which the caller sees students of the program':
    'Create a calendar link',
  'Turns off the secret calendar address of the caller in the program': 'Turn off a calendar link',
  'A new secret calendar address of the own shifts': 'Create a calendar link',
  'Turns off the secret calendar address of the own shifts': 'Turn off a calendar link',
  'A new secret calendar address of who comes to the own sites': 'Create a calendar link',
  'Turns off the secret calendar address of who comes to the own sites': 'Turn off a calendar link',
  'Place students on a shift on dates, as far as the rules allow': 'Assign students to a shift',
  'Put assignments on another shift, as far as the rules allow': 'Change the shift of assignments',
  'Move an assignment to another student or date, if the rules allow': 'Move an assignment',
  'Place students by one rule for a whole rotation, as far as the rules allow':
    'Schedule students for a whole rotation',
  'Write to everybody whose uncompleted evaluations are named, one email each': 'Remind evaluators by email',
  'Move the due date of open evaluations by days, or to a date': 'Extend evaluations',
  'Add a record for a student, such as the missing half of a punch': 'Add a time record',
  'Make the shifts of a draft, all of them or those of some blocks or students':
    'Accept placements of a draft',
  'Put students on shifts in a block of a draft by hand, within the rules':
    'Change a placement draft by hand',
  'Replace a key by a new one, with the same rights, now those of the caller': 'Replace an API key',
  'Add an endpoint': 'Add a webhook',
  'Delete an endpoint': 'Delete a webhook',
  'Change an endpoint': 'Change a webhook',
  'Send an event to the endpoint once more, with the same webhook-id': 'Send an event of a webhook again',
  'Send a test event to an endpoint': 'Send a test event of a webhook',
  'Delete the row of a person': 'Delete a person',
  'Bring a deleted row back': 'Restore a deleted person',
  'Send rows from another system': 'Data from another system',
}

/** What is no call of a person, in the words of the trade. */
const events: Readonly<Record<string, string>> = {
  'account frozen': 'Account frozen by its owner',
  'college sign-in linked': 'Sign-in through the college connected',
  'data sync': 'Data from another system',
  'email confirmed': 'Email address confirmed',
  'exam: code mailed': 'Code for an exam emailed',
  'exam: decided by code': 'Exam decided with an emailed code',
  'exam: examiner proved by code': 'Examiner confirmed by an emailed code',
  'exam: signature disputed': 'Signature of an exam disputed',
  'open shift: waiting list moved up': 'Waiting list of an open shift moved up',
  'password reset': 'Password reset',
  'placement: solved together': 'Placement solved with other programs',
  'placement: solved together again': 'Placement solved with other programs again',
  'placement: stopped together': 'Placement with other programs stopped',
  'retention: proofs': 'Old proofs deleted as the program has set',
  registered: 'Registered',
  'sign-in refused': 'Sign-in refused',
  'signed in': 'Signed in',
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** What was done, as its reader says it: the first clause of what describes a call, else the event. */
export const actionWords = (action: string, detail: Record<string, unknown> | null = null): string => {
  if (action === 'POST /clock/punches' && detail) {
    if ('IsAsked' in detail) return detail.IsAsked ? 'Ask to take back a clock-in' : 'Take back a clock-in'
    const [record] = Array.isArray(detail.Records) ? detail.Records : []
    if (record?.Type) return String(record.Type)
  }
  const call = calls.get(action)
  if (call) {
    const [clause = call.summary] = call.summary.split(/[:;] |\. /)
    if (call.answers === 'file') return `Download ${downloads[call.path] ?? heldBy(clause)}`
    return plain[clause] ?? clause
  }
  if (action.startsWith('SCIM ')) return 'Change by the directory of the college'
  return events[action] ?? capital(action.replace(/^link: /, 'By link: '))
}
