import { z } from 'zod'
import { endpoint } from '#contract/core/endpoint.ts'
import { Instant, RequiredLine, TimeOfDay } from '#contract/core/fields.ts'
import { Level } from '#contract/core/levels.ts'
import { OutsideTest } from '#contract/core/outside-test.ts'

/** What somebody may be told on a device: tomorrow's shift, a forgotten clock-out, evaluations to complete, an answered request. */
export const pushKinds = ['shift', 'clock-out', 'evaluation', 'answer'] as const
export type PushKind = (typeof pushKinds)[number]

/** The kinds that a level has use for, in the order of the list. Nobody else has the section in the preferences. */
export const pushKindsFor = (level: number): readonly PushKind[] => {
  if (level === Level.Student) return pushKinds
  return level > Level.Registrant && level < Level.SuperAdmin ? ['evaluation'] : []
}

/** What is encrypted for a browser: the server sends it, and the service worker there reads it. */
export interface PushPayload {
  /** For whom it is; 0: whoever tests whether the push service takes messages. A browser of somebody else shows nothing. */
  account: number
  /** Of the messages with one tag the device shows the newest alone. */
  tag: string
  title: string
  body: string
  /** The page that a press opens. */
  link: string
}

/** So many devices of one account are told. */
export const maxPushDevices = 10

/** A browser of the person that takes messages. */
export const PushDevice = z.object({
  /** Made by the browser, which knows itself by it. */
  Id: z.uuid(),
  Name: z.string(),
  CreateDate: Instant,
  /** When the person was last seen there. */
  SeenDate: Instant,
  /** When a push service last took a message for it. */
  SentDate: Instant.nullable(),
  /** Whether it was last seen in the session of this call: a browser that finds itself without says so again. */
  IsOfSession: z.boolean(),
})
export type PushDevice = z.infer<typeof PushDevice>

const choice = {
  Kinds: z.array(z.enum(pushKinds)).max(pushKinds.length),
  /** Between these times of the program's clock nothing is shown; what comes then is told after them. Null: at any time. */
  Quiet: z.strictObject({ From: TimeOfDay, Until: TimeOfDay }).nullable(),
}

export const PushSettings = z.object({
  ...choice,
  /** Whether this installation sends pushes. */
  IsOn: z.boolean(),
  /** The key that a browser is given when it makes its address; '' while nothing is sent. */
  PublicKey: z.string(),
  Devices: z.array(PushDevice),
})
export type PushSettings = z.infer<typeof PushSettings>

export const getPush = endpoint({
  method: 'GET',
  path: '/push',
  may: 'signed-in',
  summary: 'What the own devices are told, when not, and which devices those are',
  answer: PushSettings,
})

export const savePush = endpoint({
  method: 'POST',
  path: '/push',
  may: 'signed-in',
  summary: 'Choose what the own devices are told, and quiet hours',
  body: z.strictObject(choice),
  answer: PushSettings,
  errors: { 422: 'a kind that the own level has no use for, or quiet hours that begin when they end' },
})

const base64url = (bytes: number) =>
  z
    .string()
    .regex(/^[\w-]+$/, 'must be base64url without padding')
    .length(Math.ceil((bytes * 4) / 3), `must be ${bytes} bytes as base64url`)

/** What a browser makes of a push service’s offer: where to send, and for whom to encrypt. */
export const PushAddress = z.strictObject({
  Endpoint: z.string().min(1).max(2000),
  /** Its public key, an uncompressed point of P-256. */
  P256dh: base64url(65),
  Auth: base64url(16),
  /** The key of the installation that it was made for. */
  PublicKey: base64url(65),
})
export type PushAddress = z.infer<typeof PushAddress>

export const addPushDevice = endpoint({
  method: 'POST',
  path: '/push/devices',
  may: 'signed-in',
  summary: 'Have this browser told, or say that it has a new address',
  body: z.strictObject({
    Id: z.uuid(),
    Name: RequiredLine(60),
    Address: PushAddress,
    /** The browser does it by itself: a device that its person has removed stays removed. */
    IsRenewal: z.boolean().default(false),
  }),
  answer: PushSettings,
  errors: {
    409: 'the device was removed, or its address was made for keys that are no longer used',
    422: 'pushes are switched off, the computer is shared, there are too many devices, or the address cannot be used',
  },
})

const oneDevice = z.strictObject({ deviceId: z.uuid() })

export const removePushDevice = endpoint({
  method: 'DELETE',
  path: '/push/devices/:deviceId',
  may: 'signed-in',
  summary: 'Have one of the own devices no longer told',
  params: oneDevice,
})

export const testPushDevice = endpoint({
  method: 'POST',
  path: '/push/devices/:deviceId/tests',
  may: 'signed-in',
  summary: 'Send a test to one of the own devices',
  params: oneDevice,
  errors: { 422: 'pushes are switched off', 429: 'ten tests in a quarter of an hour' },
})

/** How pushes go in the whole installation. */
export const PushState = z.object({
  IsOn: z.boolean(),
  /** '' until they were first switched on. */
  PublicKey: z.string(),
  CreateDate: Instant.nullable(),
  /** Whom push services may ask about messages: `PUSH_CONTACT`. */
  Contact: z.string(),
  /** What keeps some from working: no HTTPS, a contact that push services refuse, keys that cannot be opened. */
  Problems: z.array(z.enum(['https', 'contact', 'keys'])),
  DeviceCount: z.number().int(),
  PersonCount: z.number().int(),
  WaitingCount: z.number().int(),
  /** Of the last seven days. */
  SentCount: z.number().int(),
  FailedCount: z.number().int(),
  /** The push services of the devices, by how many use them. */
  Hosts: z.array(z.object({ Host: z.string(), DeviceCount: z.number().int() })),
  LastSuccessDate: Instant.nullable(),
  LastErrorDate: Instant.nullable(),
  /** A sentence; '' while nothing has failed. */
  LastError: z.string(),
})
export type PushState = z.infer<typeof PushState>

export const getPushState = endpoint({
  method: 'GET',
  path: '/push-service',
  may: 'settings.manage',
  byKey: 'never',
  summary: 'How push notifications go in the installation',
  answer: PushState,
})

export const switchPush = endpoint({
  method: 'POST',
  path: '/push-service',
  may: 'settings.manage',
  byKey: 'never',
  summary: 'Switch push notifications on or off for the installation',
  body: z.strictObject({ IsOn: z.boolean() }),
  answer: PushState,
  errors: { 422: 'the keys cannot be opened with this SECRET_KEY' },
})

export const renewPushKeys = endpoint({
  method: 'POST',
  path: '/push-service/keys',
  may: 'settings.manage',
  byKey: 'never',
  summary: 'Make new keys: devices are told again once their people open the product there',
  answer: PushState,
  errors: { 422: 'pushes were never switched on' },
})

export const testPush = endpoint({
  method: 'POST',
  path: '/push-service/tests',
  may: 'settings.manage',
  byKey: 'never',
  summary: 'Send a test to this browser at once, and say what its push service answered',
  body: z.strictObject({ Address: PushAddress }),
  answer: OutsideTest,
  errors: {
    409: 'the address was made for keys that are no longer used',
    422: 'pushes are switched off, or the address cannot be used',
  },
})
