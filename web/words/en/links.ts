export const links = {
  for: 'For {name}',
  until: 'This link works until {date}.',
  why: 'The first time on a device, we email a code to {email}.',
  mail: 'Email me a code',
  mailed: 'We emailed a 6-digit code to {email}.',
  code: 'Code',
  codeShort: 'Enter the 6 digits from the email.',
  open: 'Open',
  another: 'Send another code',
  over: 'This link no longer works',
  own: 'Opens on this device only. Do not forward the link.',
}
