export const pushService = {
  title: 'Push Notifications',
  intro:
    'Messages on the devices of students, {supervisors} and staff who turn them on in their preferences. They leave through the push services of the browsers, encrypted for each device.',
  loadFailed: 'The state of push notifications could not be loaded: {reason}',
  state: 'Status',
  on: 'On',
  off: 'Off',
  failing: 'Failing',
  isOn: 'Send push notifications',
  isOnNote:
    'While this is off, nothing is sent, and people who never used notifications do not see them in their preferences.',
  switchedOn: 'Push notifications are on',
  switchedOff: 'Push notifications are off',
  problem: {
    https:
      'APP_URL does not begin with https://. Browsers turn notifications on only for HTTPS addresses, so people can neither turn them on nor install Practicum on a phone.',
    contact:
      'Some push services, Apple’s first, refuse messages without a contact they can reach. Set PUSH_CONTACT to an address such as mailto:help@example.edu.',
    keys: 'SECRET_KEY has changed, so the keys of push notifications cannot be opened and nothing is sent. Make new keys: devices turn themselves on again when their people open Practicum.',
  },
  devices: 'Devices',
  people: 'People',
  sent: 'Sent in 7 days',
  failed: 'Failed in 7 days',
  waiting: 'Waiting',
  lastSuccess: 'Last sent',
  never: 'Never',
  lastError: 'Last error {date}: {error}',
  contact: 'Contact for push services',
  keysSince: 'Keys made',
  noKeys: 'When it is first switched on',
  hosts: 'Push services',
  noHosts: 'No device has turned notifications on yet.',
  hostDevices_one: '{count} device',
  hostDevices_other: '{count} devices',
  test: 'Test with this browser',
  testTitle: 'Test with this browser',
  testRunning: 'Sending a test …',
  testOk: 'The push service took the message. It appears here within a minute.',
  testFailed: 'The test failed. Nothing was changed.',
  testDenied:
    'Your browser blocks notifications from Practicum. Allow them in the permissions of this site, then test again.',
  testUnsupported:
    'This browser cannot show notifications here: it needs HTTPS and a browser with push notifications.',
  testOff: 'Switch push notifications on to test them.',
  close: 'Close',
  renew: 'Make new keys',
  renewQuestion_one:
    'Make new keys? {count} device gets no notifications until its person opens Practicum there again.',
  renewQuestion_other:
    'Make new keys? {count} devices get no notifications until their people open Practicum there again.',
  renewed: 'New keys made',
}
