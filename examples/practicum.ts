// Written by `npm run api-client` from the description of the calls. Do not change it: write it again.

export interface Calls {
  /** Clock records, newest first; a supervisor sees those at their sites. Right: time.read */
  listTimeRecords: {
    path: {
      programId: number
    }
    query?: {
      Status?: 'pending' | 'approved' | 'rejected'
      IsTakenBack?: boolean
      AreaId?: number
      SiteId?: number
      StudentId?: number
      StudentLevelId?: number
      StudentLevelIds?: number[]
      Cohort?: string
      Type?: 'in' | 'out' | 'exception' | 'absence' | 'makeup'
      IsLate?: boolean
      IsLeftOut?: boolean
      FromDate?: string
      ThroughDate?: string
      EditedFrom?: string
      EditedThrough?: string
      EditedById?: number
      MyStudents?: boolean
      MySites?: boolean
      Insight?: '0' | '1' | '2' | '3' | 'u'
      page?: number
      pageSize?: number
      sort?: 'Date' | '-Date'
      cursor?: string
    }
    answer: {
      Items: {
        Id: number
        Type: 'in' | 'out' | 'exception' | 'absence' | 'makeup'
        StudentId: number
        Student: string
        StudentLevelId: number | null
        StudentLevel: string | null
        SiteId: number | null
        Location: string | null
        TimeZone: string
        Date: string
        Time: string
        EndTime: string | null
        OccurredAt: string
        Minutes: number
        ClockMinutes: number
        MealMinutes: number
        OffsetMinutes: number | null
        ShiftType: 'day' | 'evening' | 'night' | 'weekend' | 'other' | null
        ShiftStart: string | null
        ShiftEnd: string | null
        ShiftEndsAt: string | null
        TimeChangeRequest: {
          Date: string
          Time: string
          WasDate: string
          WasTime: string
          Reason: string
          Status: 'asked' | 'accepted' | 'refused'
          IsRemoval: boolean
        } | null
        IPName: string | null
        Distance: number | null
        Accuracy: number | null
        IsInside: boolean | null
        Insight: 1 | 2 | 3 | 'u'
        Reasons: {
          Code:
            | 'far_away'
            | 'no_assignment'
            | 'change_asked'
            | 'clock_off'
            | 'impossible_travel'
            | 'offline'
            | 'self_reported'
            | 'overlaps'
            | 'too_long'
            | 'outside_tolerance'
            | 'poor_accuracy'
            | 'unknown_network'
            | 'no_position'
            | 'by_staff'
            | 'other_half'
            | 'taken_back'
          Value?: number
        }[]
        Status: 'pending' | 'approved' | 'rejected'
        Reason: string
        Source: 'server' | 'offline' | 'self' | 'staff' | 'import'
        PartnerId: number | null
        DecidedAt: string | null
        DecidedBy: string | null
        DecisionReason: string | null
        MailedAt: string | null
        Edits: number
        LastEdit: {
          At: string
          By: string
          WasDate: string
          WasTime: string
          WasEndTime: string | null
          WasLocation: string | null
          Reason: string
        } | null
        ModifiedAt: string
      }[]
      Total: number | null
      Page: number
      PageSize: number
      NextCursor: string | null
      IsTotalCapped: boolean
    }
  }
  /** Add a record for a student, such as the missing half of a punch; by an inbox link that half alone. Right: time.edit */
  addTimeRecord: {
    path: {
      programId: number
    }
    body: {
      StudentId: number
      Kind: 'in' | 'out' | 'exception' | 'absence' | 'makeup'
      SiteId?: number
      Date: string
      Time: string
      TimeIsSecond?: boolean
      EndTime?: string
      EndDate?: string
      EndTimeIsSecond?: boolean
      Reason?: string
      PartnerId?: number
    }
    answer: {
      Id: number
      Type: 'in' | 'out' | 'exception' | 'absence' | 'makeup'
      StudentId: number
      Student: string
      StudentLevelId: number | null
      StudentLevel: string | null
      SiteId: number | null
      Location: string | null
      TimeZone: string
      Date: string
      Time: string
      EndTime: string | null
      OccurredAt: string
      Minutes: number
      ClockMinutes: number
      MealMinutes: number
      OffsetMinutes: number | null
      ShiftType: 'day' | 'evening' | 'night' | 'weekend' | 'other' | null
      ShiftStart: string | null
      ShiftEnd: string | null
      ShiftEndsAt: string | null
      TimeChangeRequest: {
        Date: string
        Time: string
        WasDate: string
        WasTime: string
        Reason: string
        Status: 'asked' | 'accepted' | 'refused'
        IsRemoval: boolean
      } | null
      IPName: string | null
      Distance: number | null
      Accuracy: number | null
      IsInside: boolean | null
      Insight: 1 | 2 | 3 | 'u'
      Reasons: {
        Code:
          | 'far_away'
          | 'no_assignment'
          | 'change_asked'
          | 'clock_off'
          | 'impossible_travel'
          | 'offline'
          | 'self_reported'
          | 'overlaps'
          | 'too_long'
          | 'outside_tolerance'
          | 'poor_accuracy'
          | 'unknown_network'
          | 'no_position'
          | 'by_staff'
          | 'other_half'
          | 'taken_back'
        Value?: number
      }[]
      Status: 'pending' | 'approved' | 'rejected'
      Reason: string
      Source: 'server' | 'offline' | 'self' | 'staff' | 'import'
      PartnerId: number | null
      DecidedAt: string | null
      DecidedBy: string | null
      DecisionReason: string | null
      MailedAt: string | null
      Edits: number
      LastEdit: {
        At: string
        By: string
        WasDate: string
        WasTime: string
        WasEndTime: string | null
        WasLocation: string | null
        Reason: string
      } | null
      ModifiedAt: string
    }
  }
  /** A page of the people, for managing them; search takes name, user name, email and student ID. Right: people.read */
  searchUsers: {
    path: {
      programId: number
    }
    query?: {
      page?: number
      pageSize?: number
      search?: string
      AccessLevels?: number[]
      AreaIds?: number[]
      StudentLevelIds?: number[]
      Cohort?: string
      IsActive?: boolean
      sort?:
        | 'LastName'
        | 'FirstName'
        | 'UserName'
        | 'AccessLevel'
        | 'StudentNumber'
        | 'Cohort'
        | '-LastName'
        | '-FirstName'
        | '-UserName'
        | '-AccessLevel'
        | '-StudentNumber'
        | '-Cohort'
    }
    answer: {
      Items: {
        Id: number
        FirstName: string
        LastName: string
        UserName: string
        EmailAddress: string
        AccessLevel: number
        StudentLevelId: number | null
        StudentNumber: string | null
        AreaId: number | null
        Area: string | null
        StudentLevel: string | null
        Cohort: string | null
        IsActive: boolean
        LeavesOn: string | null
        IsEmailAddressConfirmed: boolean
        IsFrozen: boolean
        HasAuthenticator: boolean
      }[]
      Total: number | null
      Page: number
      PageSize: number
    }
  }
  /** Send rows from another system: all rows or none. Needs no session but a key of the program, as “Authorization: Bearer …”. Fields are named as the columns of a CSV import; an empty value changes nothing. Right: data-sync.send */
  sync: {
    path: {
      module: 'students' | 'staff' | 'sites' | 'verifications'
    }
    query?: {
      DryRun?: boolean
    }
    body: {
      Rows: Record<string, string | number | boolean | null>[]
    }
    answer: {
      Rows: number
      Added: number
      Changed: number
      Unchanged: number
      Ignored: string[]
      Warnings?: {
        Row: number
        Column: string
        Message: string
      }[]
      DryRun: boolean
    }
  }
}

const routes: Record<keyof Calls, readonly [method: string, path: string]> = {
  listTimeRecords: ['GET', '/programs/{programId}/time-records'],
  addTimeRecord: ['POST', '/programs/{programId}/time-records'],
  searchUsers: ['GET', '/programs/{programId}/users/list'],
  sync: ['POST', '/v1/sync/{module}'],
}

/** A call that was refused, with what the server said. */
export class PracticumError extends Error {
  override name = 'PracticumError'
  readonly status: number
  readonly code: string | undefined
  readonly body: unknown
  constructor(status: number, body: { Message?: string; Code?: string }) {
    super(body.Message ?? `The server answered ${status}.`)
    this.status = status
    this.code = body.Code
    this.body = body
  }
}

export interface ClientOptions {
  /** Where Practicum is, such as https://practicum.example.edu. */
  url: string
  /** A key of the page API Keys. */
  key: string
  /** How often a call is sent again that was refused for the moment (429, 503); 5 unless given. */
  tries?: number
  /** Waits; tests give their own. */
  wait?: (seconds: number) => Promise<unknown>
}

type InputOf<Name extends keyof Calls> = Omit<Calls[Name], 'answer'>
type Rest<Name extends keyof Calls> =
  Record<never, never> extends InputOf<Name> ? [input?: InputOf<Name>] : [input: InputOf<Name>]

interface Parts {
  path?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

const sleep = (seconds: number) => new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/**
 * Calls Practicum with a key. A change carries an Idempotency-Key, so that it is done once however often it is sent.
 *
 * @throws PracticumError when the call is refused
 */
export const createClient = ({ url, key, tries = 5, wait = sleep }: ClientOptions) => {
  const base = `${url.replace(/\/$/, '')}/new/api`
  return {
    call: async <Name extends keyof Calls>(
      name: Name,
      ...[input]: Rest<Name>
    ): Promise<Calls[Name]['answer']> => {
      const [method, template] = routes[name]
      const { path = {}, query = {}, body } = (input ?? {}) as Parts
      const address = template.replace(/\{(\w+)\}/g, (_all, part: string) =>
        encodeURIComponent(String(path[part])),
      )
      const search = new URLSearchParams()
      for (const [part, value] of Object.entries(query))
        if (value !== undefined && value !== null)
          search.set(part, Array.isArray(value) ? value.join(',') : String(value))
      const headers: Record<string, string> = { authorization: `Bearer ${key}` }
      if (method !== 'GET') headers['idempotency-key'] = crypto.randomUUID()
      if (body !== undefined) headers['content-type'] = 'application/json'
      for (let attempt = 1; ; attempt++) {
        const answer = await fetch(`${base}${address}${search.size > 0 ? `?${search}` : ''}`, {
          method,
          headers,
          redirect: 'error',
          ...(body !== undefined && { body: JSON.stringify(body) }),
        })
        const isJson = answer.headers.get('content-type')?.includes('json') ?? false
        if (answer.ok)
          return (
            answer.status === 204 ? undefined : isJson ? await answer.json() : await answer.blob()
          ) as Calls[Name]['answer']
        const isForNow = answer.status === 429 || answer.status === 503
        const refusal = isJson ? await answer.json() : {}
        if (!isForNow || attempt >= tries) throw new PracticumError(answer.status, refusal)
        await wait(Number(answer.headers.get('retry-after') ?? 1))
      }
    },
  }
}

export type Client = ReturnType<typeof createClient>
